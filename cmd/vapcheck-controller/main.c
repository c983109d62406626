/* vapcheck-controller: wiring only: options, configuration, signals, the loop. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <uv.h>

#include "client/auth/config_source.h"
#include "client/base/log.h"
#include "client/base/print.h"
#include "cmd/vapcheck-controller/options.h"
#include "controller/controller.h"

enum { EXIT_FLAG = 2 };

struct program {
    uv_loop_t loop;
    uv_signal_t signals[2];
    struct controller *controller; /* the daemon; NULL once it is stopped */
    bool is_stopping;
    int status;
};

/* The first asks for a graceful end, a second one does not wait for it. */
static void on_signal(uv_signal_t *handle, int signum)
{
    struct program *p = handle->data;
    if (p->is_stopping || p->controller == NULL) {
        log_warn(NULL, "a second signal (%d): exiting at once", signum);
        _exit(EXIT_FAILURE);
    }
    p->is_stopping = true;
    controller_stop(p->controller);
}

static void close_signals(struct program *p)
{
    for (size_t i = 0; i < 2; i++) {
        if (!uv_is_closing((uv_handle_t *)&p->signals[i]))
            uv_close((uv_handle_t *)&p->signals[i], NULL);
    }
}

static void on_stopped(void *user, const struct err *err)
{
    struct program *p = user;
    p->controller = NULL;
    if (err != NULL) {
        log_error(NULL, "%s", err->msg);
        p->status = EXIT_FAILURE;
    }
    close_signals(p);
}

static void start_signals(struct program *p)
{
    static const int signums[2] = {SIGTERM, SIGINT};
    for (size_t i = 0; i < 2; i++) {
        uv_signal_init(&p->loop, &p->signals[i]);
        p->signals[i].data = p;
        uv_signal_start(&p->signals[i], on_signal, signums[i]);
    }
    signal(SIGPIPE, SIG_IGN);
}

static int run(const struct config *config, const struct options *options)
{
    struct program p = {.status = EXIT_SUCCESS};
    struct err err = {0};
    uv_loop_init(&p.loop);
    start_signals(&p);
    if (controller_start(&p.loop, config, &options->controller, on_stopped, &p, &p.controller, &err) != 0)
        on_stopped(&p, &err);
    uv_run(&p.loop, UV_RUN_DEFAULT);
    if (uv_loop_close(&p.loop) != 0) {
        log_error(NULL, "handles were left open on the loop");
        p.status = EXIT_FAILURE;
    }
    return p.status;
}

int main(int argc, char **argv)
{
    struct options options;
    struct config_source source;
    struct config *config = NULL;
    struct err err = {0};
    if (options_parse(&options, argc, argv, &err) != 0) {
        print_line(stderr, "vapcheck-controller: %s", err.msg);
        print_line(stderr, "Try vapcheck-controller --help.");
        return EXIT_FLAG;
    }
    if (options.is_help || options.is_help_markdown || options.is_help_man || options.is_version) {
        if (options.is_help)
            options_print_help(stdout);
        else if (options.is_help_markdown)
            options_print_markdown(stdout);
        else if (options.is_help_man)
            options_print_man(stdout);
        else
            print_line(stdout, "vapcheck-controller " VAPCHECK_VERSION);
        options_deinit(&options);
        return EXIT_SUCCESS;
    }
    log_set_level(options.log_level);
    log_set_format(options.log_format);
    config_source_from_env(&source);
    source.kubeconfig = options.kubeconfig;
    source.context = options.context;
    int status = EXIT_FAILURE;
    if (config_source_load(&source, &config, &err) == 0) {
        log_debug(NULL, "configuration: %s", config->origin);
        options_complete(&options, config);
        status = run(config, &options);
    } else {
        log_error(NULL, "%s", err.msg);
    }
    config_free(config);
    options_deinit(&options);
    return status;
}
