#include "controller/apiserver/defaults/requestobject.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "client/text/jsonval.h"

enum step { DECODE, CREATE, UPDATE };

static const struct {
    enum step step;
    bool has_status;
    const char *sent, *old, *subresource, *made;
} cases[] = {
    {DECODE, false,
     "{'apiVersion':'v1','kind':'Secret','stringData':{'a':'hello','b':null,'c':''},'data':{'a':'eA==','d':'"
     "eA=='}}",
     NULL, "", "{'apiVersion':'v1','kind':'Secret','data':{'a':'aGVsbG8=','d':'eA==','b':'','c':''}}"},
    {DECODE, false, "{'apiVersion':'v1','kind':'Secret','stringData':{'a':'x'}}", NULL, "",
     "{'apiVersion':'v1','kind':'Secret','data':{'a':'eA=='}}"},
    {DECODE, false, "{'apiVersion':'x/v1','kind':'Secret','stringData':{'a':'x'}}", NULL, "",
     "{'apiVersion':'x/v1','kind':'Secret','stringData':{'a':'x'}}"},
    {DECODE, false, "{'apiVersion':'v1','kind':'Secret','stringData':[1]}", NULL, "",
     "{'apiVersion':'v1','kind':'Secret','stringData':[1]}"},
    {DECODE, false, "{'apiVersion':'v1','kind':'Namespace','metadata':{'name':'n'}}", NULL, "",
     "{'apiVersion':'v1','kind':'Namespace','metadata':{'name':'n','labels':{'kubernetes.io/"
     "metadata.name':'n'}}}"},
    {DECODE, false, "{'apiVersion':'v1','kind':'Namespace','metadata':{'name':'n','labels':{'a':'b'}}}", NULL,
     "",
     "{'apiVersion':'v1','kind':'Namespace','metadata':{'name':'n','labels':{'a':'b','kubernetes.io/"
     "metadata.name':'n'}}}"},
    {DECODE, false,
     "{'apiVersion':'v1','kind':'Namespace','metadata':{'name':'n','labels':{'kubernetes.io/"
     "metadata.name':'other','a':'b'}}}",
     NULL, "",
     "{'apiVersion':'v1','kind':'Namespace','metadata':{'name':'n','labels':{'kubernetes.io/"
     "metadata.name':'n','a':'b'}}}"},
    {DECODE, false, "{'apiVersion':'v1','kind':'Namespace','metadata':{'generateName':'n'}}", NULL, "",
     "{'apiVersion':'v1','kind':'Namespace','metadata':{'generateName':'n'}}"},
    {DECODE, false, "{'apiVersion':'v1','kind':'Namespace','metadata':5}", NULL, "",
     "{'apiVersion':'v1','kind':'Namespace','metadata':5}"},
    {CREATE, true, "{'kind':'Pod','status':{'a':1}}", NULL, "", "{'kind':'Pod'}"},
    {CREATE, false, "{'kind':'Pod','status':{'a':1}}", NULL, "", "{'kind':'Pod','status':{'a':1}}"},
    {CREATE, true, "{'apiVersion':'v1','kind':'Node','status':{'a':1}}", NULL, "",
     "{'apiVersion':'v1','kind':'Node','status':{'a':1}}"},
    {UPDATE, true, "{'metadata':{'name':'n'},'spec':1,'status':2}",
     "{'metadata':{'name':'n','uid':'u','creationTimestamp':'t'},'spec':3,'status':4}", "",
     "{'metadata':{'name':'n','uid':'u','creationTimestamp':'t'},'spec':1,'status':4}"},
    {UPDATE, true,
     "{'metadata':{'creationTimestamp':'own','deletionTimestamp':'own','deletionGracePeriodSeconds':1}}",
     "{'metadata':{'creationTimestamp':'t','deletionTimestamp':'d','deletionGracePeriodSeconds':2}}", "",
     "{'metadata':{'creationTimestamp':'t','deletionTimestamp':'d','deletionGracePeriodSeconds':1}}"},
    {UPDATE, true, "{'metadata':{'creationTimestamp':'own'}}",
     "{'metadata':{'deletionGracePeriodSeconds':2}}", "",
     "{'metadata':{'creationTimestamp':'own','deletionGracePeriodSeconds':2}}"},
    {UPDATE, true, "{'metadata':{'uid':'own'},'spec':1,'status':2}", "{'metadata':{'uid':'u'},'spec':3}", "",
     "{'metadata':{'uid':'own'},'spec':1}"},
    {UPDATE, false, "{'spec':1,'status':2}", "{'metadata':{'uid':'u'},'spec':3}", "",
     "{'spec':1,'status':2}"},
    {UPDATE, true, "{'metadata':{'name':'n'},'spec':1,'new':0,'status':2}",
     "{'metadata':{'name':'n'},'spec':3,'data':5,'status':4}", "status",
     "{'metadata':{'name':'n'},'spec':3,'status':2,'data':5}"},
    {UPDATE, true, "{'metadata':[],'status':2}", "{'metadata':{'uid':'u'}}", "resize",
     "{'metadata':[],'status':2}"},
};

/* Of a text with ' for ". */
static struct json_object *read(const char *text)
{
    char copy[512];
    assert_true(strlen(text) < sizeof copy);
    size_t i = 0;
    for (; text[i] != '\0'; i++)
        copy[i] = text[i];
    copy[i] = '\0';
    for (char *at = copy; (at = strchr(at, '\'')) != NULL;)
        *at = '"';
    struct json_object *json;
    struct err err;
    assert_int_equal(jsonval_parse(copy, strlen(copy), &json, &err), 0);
    return json;
}

static void each_case(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct json_object *sent = read(cases[i].sent), *before = read(cases[i].sent),
                           *wanted = read(cases[i].made);
        struct json_object *old = cases[i].old == NULL ? NULL : read(cases[i].old);
        struct json_object *made = requestobject_copy(sent);
        if (cases[i].step == DECODE)
            requestobject_decode(made);
        else if (cases[i].step == CREATE)
            requestobject_create(made, cases[i].has_status);
        else
            requestobject_update(made, old, cases[i].subresource, cases[i].has_status);
        if (!json_object_equal(made, wanted))
            fail_msg("case %zu: %s", i, json_object_to_json_string(made));
        assert_true(json_object_equal(sent, before)); /* what was copied is as it was */
        json_object_put(made);
        json_object_put(sent);
        json_object_put(before);
        json_object_put(wanted);
        json_object_put(old);
    }
}

/* What a server sets in a new one is there; one with a uid is of a server, which may have cleared it. */
static void namespaces(void **state)
{
    static const struct {
        const char *from, *made;
    } rows[] = {
        {NULL, "'labels':{'kubernetes.io/metadata.name':'n'}},'spec':{'finalizers':['kubernetes']},'status':"
               "{'phase':'Active'}}"},
        {"{'metadata':{'labels':{'a':'b'}},'status':{'phase':'Terminating'}}",
         "'labels':{'a':'b','kubernetes.io/metadata.name':'n'}},'spec':{'finalizers':['kubernetes']},"
         "'status':{'phase':'Terminating'}}"},
        {"{'metadata':{'uid':'u'},'spec':{}}",
         "'uid':'u','labels':{'kubernetes.io/metadata.name':'n'}},'spec':{},'status':{}}"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[300];
        (void)snprintf(text, sizeof text, "{'metadata':{'name':'n',%s", rows[i].made);
        struct json_object *from = rows[i].from == NULL ? NULL : read(rows[i].from), *wanted = read(text);
        struct json_object *made = requestobject_namespace("n", from);
        if (!json_object_equal(made, wanted))
            fail_msg("case %zu: %s", i, json_object_to_json_string(made));
        json_object_put(made);
        json_object_put(wanted);
        json_object_put(from);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(each_case), cmocka_unit_test(namespaces)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
