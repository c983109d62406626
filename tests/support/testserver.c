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
    "Prints the URL it listens on, and serves until SIGINT or SIGTERM.\n";

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

/* Until one of the signals, which every thread has blocked. */
static int serve(struct cluster *cluster, const char *kubeconfig, const sigset_t *stop, struct err *err)
{
    struct httpd *httpd;
    int signal_number;
    if (httpd_start(router_handle, cluster, &httpd, err) != 0)
        return -1;
    int result = write_kubeconfig(kubeconfig, httpd_port(httpd), err);
    if (result == 0) {
        printf("http://127.0.0.1:%u\n", httpd_port(httpd));
        fflush(stdout);
        sigwait(stop, &signal_number);
    }
    objects_stop(cluster->objects);
    httpd_stop(httpd);
    return result;
}

int main(int argc, char **argv)
{
    struct cluster cluster = {0};
    struct err err = {0};
    sigset_t stop;
    if (argc != 3) {
        fputs(usage, stderr);
        return 2;
    }
    sigemptyset(&stop);
    sigaddset(&stop, SIGINT);
    sigaddset(&stop, SIGTERM);
    sigprocmask(SIG_BLOCK, &stop, NULL);
    cluster.objects = objects_new();
    int result = snapshot_open(argv[1], &cluster.snapshot, &err);
    if (result == 0)
        result = serve(&cluster, argv[2], &stop, &err);
    if (result != 0)
        fprintf(stderr, "testserver: %s\n", err.msg);
    snapshot_free(cluster.snapshot);
    objects_free(cluster.objects);
    return result != 0;
}
