/*
 * A client for the OSP server: one call from its authorisation to its usage report, by the OSP
 * toolkit of Debian (package libosptk-dev).
 *
 *   cc -Wall -Wextra -o osp_client osp_client.c -losptk
 *   ./osp_client http://127.0.0.1:8080/osp key.der certificate.der authority.der 14048724799 1678
 *
 * The key is RSA in the form of PKCS#1, all three files are DER. Each step prints the toolkit's
 * return code; 0 is success. The exit code is 0 if all steps had 0 and there was a destination.
 *
 * With two more arguments it is a load: so many clients, each a process, make calls one after the
 * other for so many seconds. It prints `ready` when all clients have begun, and `calls N` at the end.
 */
#define _DEFAULT_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "osp/osp.h"
#include "osp/ospb64.h"
#include "osp/ospcallid.h"
#include "osp/ospinit.h"
#include "osp/ospproviderapi.h"
#include "osp/osptransapi.h"

enum {
    FILE_MAX_BYTES = 16384,
    TOKEN_MAX_BYTES = 16384,
    TEXT_MAX_BYTES = 512,
    DESTINATIONS_MAX = 8,
    CLIENTS_MAX = 1000,
    POLL_MICROSECONDS = 1000
};

struct file {
    unsigned char bytes[FILE_MAX_BYTES];
    unsigned length;
};

struct destination {
    char valid_after[TEXT_MAX_BYTES];
    char valid_until[TEXT_MAX_BYTES];
    char called[TEXT_MAX_BYTES];
    char calling[TEXT_MAX_BYTES];
    char address[TEXT_MAX_BYTES];
    char device[TEXT_MAX_BYTES];
    unsigned char call_id[TEXT_MAX_BYTES];
    unsigned call_id_length;
    unsigned seconds;
    char token[TOKEN_MAX_BYTES];
    unsigned token_length;
};

static struct file key, certificate, authority;
static int quiet;

/* What the processes of a load share. */
struct load {
    pid_t parent;
    int ready;
    int go;
    long calls[CLIENTS_MAX];
};

static int read_file(const char *name, struct file *into)
{
    FILE *file = fopen(name, "rb");
    if (file == NULL) {
        perror(name);
        return -1;
    }
    into->length = (unsigned)fread(into->bytes, 1, sizeof into->bytes, file);
    fclose(file);
    if (into->length == 0 || into->length == sizeof into->bytes) {
        fprintf(stderr, "%s: the file is empty or larger than %d bytes\n", name, FILE_MAX_BYTES);
        return -1;
    }
    return 0;
}

static int step(const char *name, int code)
{
    if (!quiet) {
        printf("%s %d\n", name, code);
    } else if (code != 0) {
        fprintf(stderr, "%s %d\n", name, code);
    }
    return code;
}

static int new_provider(const char *url, OSPTPROVHANDLE *provider)
{
    const char *points[1] = {url};
    unsigned long message_counts[1] = {0};
    OSPTPRIVATEKEY private_key = {key.bytes, key.length};
    OSPT_CERT local = {certificate.bytes, certificate.length};
    OSPT_CERT trusted = {authority.bytes, authority.length};
    const OSPT_CERT *authorities[1] = {&trusted};
    return OSPPProviderNew(1, points, message_counts, "", &private_key, &local, 1, authorities,
                           1,     /* tokens are checked here */
                           300,   /* TLS session, seconds */
                           1,     /* connections */
                           60000, /* keep-alive, milliseconds */
                           0,     /* pause between attempts */
                           1,     /* attempts after the first */
                           10000, /* time for an answer, milliseconds */
                           "1000", "1000", provider);
}

static int authorize(OSPTTRANHANDLE transaction, const char *calling, const char *called,
                     unsigned *count)
{
    OSPT_CALL_ID *id = OSPPCallIdNew(1, (const unsigned char *)"1");
    unsigned log_size = 0;
    int code;
    if (id == NULL) {
        return -1;
    }
    *count = DESTINATIONS_MAX;
    code = OSPPTransactionRequestAuthorisation(transaction, "[127.0.0.9]", "[127.0.0.9]", calling,
                                               OSPC_NFORMAT_E164, called, OSPC_NFORMAT_E164, "", 1,
                                               &id, NULL, count, &log_size, NULL);
    OSPPCallIdDelete(&id);
    return code;
}

static int destination(OSPTTRANHANDLE transaction, int first, struct destination *to)
{
    int code;
    memset(to, 0, sizeof *to);
    to->call_id_length = sizeof to->call_id;
    to->token_length = sizeof to->token;
    if (first) {
        code = OSPPTransactionGetFirstDestination(
            transaction, TEXT_MAX_BYTES, to->valid_after, to->valid_until, &to->seconds,
            &to->call_id_length, to->call_id, TEXT_MAX_BYTES, to->called, TEXT_MAX_BYTES,
            to->calling, TEXT_MAX_BYTES, to->address, TEXT_MAX_BYTES, to->device,
            &to->token_length, to->token);
    } else {
        code = OSPPTransactionGetNextDestination(
            transaction, OSPC_FAIL_NO_ANSWER_FROM_USER, TEXT_MAX_BYTES, to->valid_after,
            to->valid_until, &to->seconds, &to->call_id_length, to->call_id, TEXT_MAX_BYTES,
            to->called, TEXT_MAX_BYTES, to->calling, TEXT_MAX_BYTES, to->address, TEXT_MAX_BYTES,
            to->device, &to->token_length, to->token);
    }
    return code;
}

static int call(OSPTTRANHANDLE transaction, const char *calling, const char *called)
{
    static struct destination to;
    unsigned count = 0;
    unsigned log_size = 0;
    unsigned i;
    time_t now = time(NULL);
    int code = step("RequestAuthorisation", authorize(transaction, calling, called, &count));
    if (!quiet) {
        printf("destinations %u\n", count);
    }
    if (code != 0 || count == 0) {
        return code == 0 ? -1 : code;
    }
    for (i = 0; i < count; i++) {
        code = step(i == 0 ? "GetFirstDestination" : "GetNextDestination",
                    destination(transaction, i == 0, &to));
        if (code != 0) {
            return code;
        }
        if (!quiet) {
            printf("destination %s for %s, %u s, token of %u bytes\n", to.address, to.called,
                   to.seconds, to.token_length);
        }
    }
    code = OSPPTransactionRecordFailure(transaction, OSPC_FAIL_NORMAL_CALL_CLEARING);
    if (step("RecordFailure", code) != 0) {
        return code;
    }
    return step("ReportUsage",
                OSPPTransactionReportUsage(transaction, 30, now - 40, now, now - 38, now - 30, 1,
                                           1010, OSPC_RELEASE_SOURCE, "", 1, 2, 3, 4, &log_size,
                                           NULL));
}

static int one_call(OSPTPROVHANDLE provider, const char *calling, const char *called)
{
    OSPTTRANHANDLE transaction;
    int code;
    int failed = step("TransactionNew", OSPPTransactionNew(provider, &transaction));
    if (failed == 0) {
        failed = call(transaction, calling, called);
        code = step("TransactionDelete", OSPPTransactionDelete(transaction));
        failed = failed != 0 ? failed : code;
    }
    return failed;
}

/* Makes one call, or with a load the calls of one client. */
static int client(char **argv, struct load *load, int number, int seconds)
{
    OSPTPROVHANDLE provider;
    time_t end;
    int failed = 0;
    int code;

    if (step("Init", OSPPInit(OSPC_FALSE)) != 0 ||
        step("ProviderNew", new_provider(argv[1], &provider)) != 0) {
        return 1;
    }
    if (load == NULL) {
        failed = one_call(provider, argv[5], argv[6]);
    } else {
        __sync_add_and_fetch(&load->ready, 1);
        while (!*(volatile int *)&load->go) {
            if (getppid() != load->parent) {
                return 1; /* the load has ended because another client could not begin */
            }
            usleep(POLL_MICROSECONDS);
        }
        end = time(NULL) + seconds;
        while (failed == 0 && time(NULL) < end) {
            failed = one_call(provider, argv[5], argv[6]);
            load->calls[number] += failed == 0;
        }
    }
    code = step("ProviderDelete", OSPPProviderDelete(provider, 0));
    OSPPCleanup();
    return failed != 0 || code != 0;
}

/* Starts the clients, lets them begin at the same time, and sums their calls. */
static int make_load(char **argv)
{
    int clients = atoi(argv[7]);
    int seconds = atoi(argv[8]);
    long calls = 0;
    int failed = 0;
    int status;
    int i;
    struct load *load = mmap(NULL, sizeof *load, PROT_READ | PROT_WRITE,
                             MAP_SHARED | MAP_ANONYMOUS, -1, 0);

    if (clients < 1 || clients > CLIENTS_MAX || seconds < 1 || load == MAP_FAILED) {
        fprintf(stderr, "a load has 1 to %d clients, and seconds\n", CLIENTS_MAX);
        return 2;
    }
    quiet = 1;
    load->parent = getpid();
    for (i = 0; i < clients; i++) {
        pid_t child = fork();
        if (child == 0) {
            exit(client(argv, load, i, seconds));
        }
        if (child < 0) {
            perror("fork");
            return 1;
        }
    }
    while (*(volatile int *)&load->ready < clients) {
        if (waitpid(-1, &status, WNOHANG) > 0) {
            return 1; /* a client that has ended has said why */
        }
        usleep(POLL_MICROSECONDS);
    }
    puts("ready");
    fflush(stdout);
    load->go = 1;
    for (i = 0; i < clients; i++) {
        failed |= wait(&status) < 0 || status != 0;
    }
    for (i = 0; i < clients; i++) {
        calls += load->calls[i];
    }
    printf("calls %ld\n", calls);
    return failed;
}

int main(int argc, char **argv)
{
    if (argc != 7 && argc != 9) {
        fprintf(stderr,
                "usage: %s URL KEY CERTIFICATE AUTHORITY CALLING CALLED [CLIENTS SECONDS]\n",
                argv[0]);
        return 2;
    }
    if (read_file(argv[2], &key) != 0 || read_file(argv[3], &certificate) != 0 ||
        read_file(argv[4], &authority) != 0) {
        return 2;
    }
    return argc == 9 ? make_load(argv) : client(argv, NULL, 0, 0);
}
