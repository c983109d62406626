#include "controller/apiserver/crd/crdschema.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "client/text/jsonval.h"

#define RESOURCE                                                                                             \
    "\"apiVersion\":{\"type\":\"string\"},\"kind\":{\"type\":\"string\"},"                                   \
    "\"metadata\":{\"allOf\":[{\"$ref\":\"#/components/schemas/"                                             \
    "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta\"}]}"

/* A field's schema and what is published of it. */
static const struct {
    const char *given, *published;
} rows[] = {
    {"{}", "{}"},
    {"{'type':'','required':[],'enum':[],'nullable':false,'default':null}", "{}"},
    {"{'type':'string','nullable':true,'$schema':'x','unknown':1}", "{'type':'string','nullable':true}"},
    {"{'minimum':0,'maxItems':0,'exclusiveMinimum':true}",
     "{'minimum':0,'exclusiveMinimum':true,'maxItems':0}"},
    {"{'properties':{}}", "{}"},
    {"{'additionalProperties':{}}", "{'additionalProperties':{}}"},
    {"{'additionalProperties':true}", "{'additionalProperties':true}"},
    {"{'x-kubernetes-int-or-string':true}",
     "{'x-kubernetes-int-or-string':true,'anyOf':[{'type':'integer'},{'type':'string'}]}"},
    {"{'x-kubernetes-int-or-string':true,'anyOf':[{'minimum':1}],'allOf':[{'maximum':2}]}",
     "{'anyOf':[{'minimum':1}],'x-kubernetes-int-or-string':true,"
     "'allOf':[{'anyOf':[{'type':'integer'},{'type':'string'}]},{'maximum':2}]}"},
    {"{'x-kubernetes-int-or-string':true,'anyOf':[{'type':'integer','unknown':1},{'type':'string'}]}",
     "{'x-kubernetes-int-or-string':true,'anyOf':[{'type':'integer'},{'type':'string'}]}"},
    {"{'x-kubernetes-int-or-string':true,'allOf':[{'anyOf':[{'type':'integer'},{'type':'string'}]},{}]}",
     "{'x-kubernetes-int-or-string':true,'allOf':[{'anyOf':[{'type':'integer'},{'type':'string'}]},{}]}"},
    {"{'x-kubernetes-int-or-string':true,'anyOf':[{'minimum':1}]}",
     "{'anyOf':[{'minimum':1}],'x-kubernetes-int-or-string':true,"
     "'allOf':[{'anyOf':[{'type':'integer'},{'type':'string'}]}]}"},
    {"{'anyOf':[{'x-kubernetes-int-or-string':true,'x-kubernetes-embedded-resource':true}]}",
     "{'anyOf':[{'x-kubernetes-int-or-string':true,'x-kubernetes-embedded-resource':true}]}"},
    {"{'x-kubernetes-embedded-resource':true,'properties':{'kind':null,'a':null}}",
     "{'x-kubernetes-embedded-resource':true,'required':['kind','apiVersion'],'properties':{RESOURCE,'a':{}}"
     "}"},
    {"{'x-kubernetes-embedded-resource':true,'x-kubernetes-int-or-string':true,'required':'a','anyOf':'b'}",
     "{'x-kubernetes-embedded-resource':true,'x-kubernetes-int-or-string':true,'anyOf':[],"
     "'allOf':[{'anyOf':[{'type':'integer'},{'type':'string'}]}],"
     "'required':['kind','apiVersion'],'properties':{RESOURCE}}"},
    {"{'items':[],'not':true,'allOf':1,'oneOf':['a'],'properties':[],'additionalProperties':null}",
     "{'oneOf':[{}]}"},
    {"{'description':'a','items':{'description':'b','x-kubernetes-embedded-resource':true}}",
     "{'description':'a','items':{'description':'b','x-kubernetes-embedded-resource':true,"
     "'required':['kind','apiVersion'],'properties':{RESOURCE}}}"},
    {"{'not':{'additionalProperties':true,'required':['a']}}", "{'not':{'required':['a']}}"},
    {"{'x-kubernetes-embedded-resource':true,'required':['kind']}",
     "{'x-kubernetes-embedded-resource':true,'required':['kind','apiVersion'],'properties':{RESOURCE}}"},
};

/* JSON with ' for ". The caller puts it. */
static struct json_object *parse(const char *text)
{
    char json[2048];
    size_t used = 0;
    struct json_object *out = NULL;
    struct err err = {0};
    for (const char *p = text; *p != '\0'; p++) {
        if (strncmp(p, "RESOURCE", 8) == 0) {
            memcpy(json + used, RESOURCE, sizeof RESOURCE - 1);
            used += sizeof RESOURCE - 1;
            p += 7;
        } else {
            json[used++] = *p;
            if (*p == '\'')
                json[used - 1] = '"';
        }
    }
    if (jsonval_parse(json, used, &out, &err) != 0)
        fail_msg("%s: %s", text, err.msg);
    return out;
}

/* The caller puts it. */
static struct json_object *publish(struct json_object *schema)
{
    struct json_object *out = NULL;
    struct err err = {0};
    cleanup_buf struct buf text;
    buf_init(&text, 64 * 1024);
    crdschema_write(&text, schema);
    if (jsonval_parse(text.data, text.len, &out, &err) != 0)
        fail_msg("%s: %s", text.data, err.msg);
    return out;
}

static void test_fields(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct json_object *given = parse(rows[i].given), *wanted = parse(rows[i].published);
        struct json_object *schema = json_object_new_object(), *properties = json_object_new_object();
        json_object_object_add(schema, "properties", properties);
        json_object_object_add(properties, "f", given);
        struct json_object *published = publish(schema);
        struct json_object *field = jsonval_get(jsonval_get(published, "properties"), "f");
        if (!json_object_equal(field, wanted))
            fail_msg("%s: %s", rows[i].given, json_object_to_json_string(field));
        json_object_put(schema);
        json_object_put(published);
        json_object_put(wanted);
    }
}

static void test_root(void **state)
{
    (void)state;
    static const char *const texts[][2] = {
        {"{'type':'object','properties':{'kind':{'type':'integer'},'metadata':{'type':'object'}}}",
         "{'type':'object','properties':{RESOURCE}}"},
        {"null", "{'type':'object'}"},
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        struct json_object *given = parse(texts[i][0]), *wanted = parse(texts[i][1]);
        struct json_object *published = publish(given);
        if (!json_object_equal(published, wanted))
            fail_msg("%s", json_object_to_json_string(published));
        json_object_put(given);
        json_object_put(wanted);
        json_object_put(published);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fields),
        cmocka_unit_test(test_root),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
