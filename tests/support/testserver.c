/*
 * testserver: a stage for the demo and for flow tests, never a second Kubernetes.
 *
 * An API server on the loopback, in memory, without TLS or credentials: it
 * publishes discovery and schemas of a snapshot, stores policies, bindings and
 * CRDs as they come (no validation, no defaults, no admission), and applies a
 * policy's status for one manager. Enough for kubectl get, describe, create,
 * replace, delete, wait and explain. Each request is a line on stderr.
 */
#include <signal.h>
#include <stdio.h>

#include "tests/support/router.h"

static const char usage[] =
    "usage: testserver SCHEMAS KUBECONFIG\n"
    "  SCHEMAS     what kubectl vapcheck dump wrote, or a bundle of manifests/schemas\n"
    "  KUBECONFIG  is written for kubectl and vapcheck-controller\n"
    "Prints the URL it listens on, and serves until SIGINT or SIGTERM. SIGUSR1 restarts it: connections\n"
    "end, objects stay, the history that watches read is gone; then it prints the URL again.\n"
    "PUT /fault/STATUS (or /fault/cut) makes the next request of vapcheck-controller fail.\n";

static int write_kubeconfig(const char *path, unsigned port, struct err *err)
{
    FILE *file = fopen(path, "w");
    if (file == NULL)
        return err_set(err, ERR_INVALID, "%s cannot be written", path);
    fprintf(file,
            "apiVersion: v1\nkind: Config\ncurrent-context: testserver\n"
            "clusters: [{name: testserver, cluster: {server: \"http://127.0.0.1:%u\"}}]\n"
            "contexts: [{name: testserver, context: {cluster: testserver, user: nobody}}]\n"
            "users: [{name: nobody, user: {}}]\n",
            port);
    return fclose(file);
}

/* On this port; 0: on any. */
static int start(struct cluster *cluster, unsigned port, const char *kubeconfig, struct httpd **httpd,
                 struct err *err)
{
    if (httpd_start(port, router_handle, cluster, httpd, err) != 0)
        return -1;
    if (write_kubeconfig(kubeconfig, httpd_port(*httpd), err) != 0) {
        httpd_stop(*httpd);
        return -1;
    }
    printf("http://127.0.0.1:%u\n", httpd_port(*httpd));
    fflush(stdout);
    return 0;
}

/* Until one of the signals but SIGUSR1, which every thread has blocked. */
static int serve(struct cluster *cluster, const char *kubeconfig, const sigset_t *signals, struct err *err)
{
    struct httpd *httpd;
    unsigned port = 0;
    int signal_number = SIGUSR1;
    while (signal_number == SIGUSR1) {
        if (start(cluster, port, kubeconfig, &httpd, err) != 0)
            return -1;
        port = httpd_port(httpd);
        sigwait(signals, &signal_number);
        objects_stop(cluster->objects);
        httpd_stop(httpd);
        objects_restart(cluster->objects);
    }
    return 0;
}

int main(int argc, char **argv)
{
    struct cluster cluster = {0};
    struct err err = {0};
    sigset_t signals;
    if (argc != 3) {
        fputs(usage, stderr);
        return 2;
    }
    sigemptyset(&signals);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGTERM);
    sigaddset(&signals, SIGUSR1);
    sigprocmask(SIG_BLOCK, &signals, NULL);
    cluster.objects = objects_new();
    int result = clusterdump_open(argv[1], &cluster.snapshot, &err);
    if (result == 0)
        result = serve(&cluster, argv[2], &signals, &err);
    if (result != 0)
        fprintf(stderr, "testserver: %s\n", err.msg);
    clusterdump_free(cluster.snapshot);
    objects_free(cluster.objects);
    return result != 0;
}
