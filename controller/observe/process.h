/*
 * process: CPU time, memory and descriptors of this process, as the kernel
 * counts them, for the process_* metrics.
 *
 *     struct process_usage usage;
 *     process_read(&usage);
 */
#ifndef CONTROLLER_OBSERVE_PROCESS_H
#define CONTROLLER_OBSERVE_PROCESS_H

struct process_usage {
    double cpu_seconds, start_time_seconds; /* the latter since 1970 */
    double resident_bytes, virtual_bytes, virtual_max_bytes;
    double heap_bytes; /* in use */
    double open_fds, max_fds;
};

/* A value that cannot be read is 0; an unlimited limit is -1, as in Prometheus' own client. */
void process_read(struct process_usage *out);

#endif
