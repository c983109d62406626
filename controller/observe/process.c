#include "controller/observe/process.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "client/base/mem.h"

/* The fields of /proc/self/stat that count, numbered as proc(5) has them. */
enum { STAT_UTIME = 14, STAT_STIME = 15, STAT_START = 22, STAT_VSIZE = 23, STAT_RSS = 24 };

/* The process' name, the second field, may hold blanks and parentheses: fields begin after its last ')'. */
static double stat_field(const char *text, int number)
{
    const char *at = strrchr(text, ')');
    for (int i = 2; at != NULL && i < number; i++)
        at = strchr(at + 1, ' ');
    return at == NULL ? 0 : strtod(at + 1, NULL);
}

/* Whole seconds, so that every reading is the same. */
static double boot_time(void)
{
    static const char name[] = "btime ";
    char line[512];
    double value = 0;
    FILE *file = fopen("/proc/stat", "re");
    if (file == NULL)
        return 0;
    while (value == 0 && fgets(line, sizeof line, file) != NULL) {
        if (strncmp(line, name, sizeof name - 1) == 0)
            value = strtod(line + sizeof name - 1, NULL);
    }
    fclose(file);
    return value;
}

static void read_stat(struct process_usage *out)
{
    char text[1024] = "";
    const double ticks = (double)sysconf(_SC_CLK_TCK);
    FILE *file = fopen("/proc/self/stat", "re");
    if (file == NULL)
        return;
    size_t len = fread(text, 1, sizeof text - 1, file);
    text[len] = '\0';
    fclose(file);
    out->cpu_seconds = (stat_field(text, STAT_UTIME) + stat_field(text, STAT_STIME)) / ticks;
    out->virtual_bytes = stat_field(text, STAT_VSIZE);
    out->resident_bytes = stat_field(text, STAT_RSS) * (double)sysconf(_SC_PAGESIZE);
    out->start_time_seconds = boot_time() + stat_field(text, STAT_START) / ticks;
}

static double count_fds(void)
{
    DIR *dir = opendir("/proc/self/fd");
    double count = 0;
    if (dir == NULL)
        return 0;
    for (const struct dirent *entry = readdir(dir); entry != NULL; entry = readdir(dir))
        count += entry->d_name[0] != '.';
    closedir(dir);
    return count - 1; /* the directory's own */
}

/* `status` is what getrlimit returned; its first parameter has another type in each C library. */
static double soft_limit(int status, const struct rlimit *limit)
{
    if (status != 0)
        return 0;
    return limit->rlim_cur == RLIM_INFINITY ? -1 : (double)limit->rlim_cur;
}

void process_read(struct process_usage *out)
{
    *out = (struct process_usage){0};
    read_stat(out);
    out->open_fds = count_fds();
    struct rlimit limit;
    out->max_fds = soft_limit(getrlimit(RLIMIT_NOFILE, &limit), &limit);
    out->virtual_max_bytes = soft_limit(getrlimit(RLIMIT_AS, &limit), &limit);
    out->heap_bytes = (double)mem_in_use();
}
