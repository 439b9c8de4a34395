/*
 * A client for the OSP server: one call from its authorisation to its usage report, by the OSP
 * toolkit of Debian (package libosptk-dev).
 *
 *   cc -Wall -Wextra -o osp_client osp_client.c -losptk
 *   ./osp_client http://127.0.0.1:8080/osp key.der certificate.der authority.der 14048724799 1678
 *
 * The key is RSA in the form of PKCS#1, all three files are DER. Each step prints the toolkit's
 * return code; 0 is success. The exit code is 0 if all steps had 0 and there was a destination.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

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
    DESTINATIONS_MAX = 8
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
    printf("%s %d\n", name, code);
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
    printf("destinations %u\n", count);
    if (code != 0 || count == 0) {
        return code == 0 ? -1 : code;
    }
    for (i = 0; i < count; i++) {
        code = step(i == 0 ? "GetFirstDestination" : "GetNextDestination",
                    destination(transaction, i == 0, &to));
        if (code != 0) {
            return code;
        }
        printf("destination %s for %s, %u s, token of %u bytes\n", to.address, to.called,
               to.seconds, to.token_length);
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

int main(int argc, char **argv)
{
    OSPTPROVHANDLE provider;
    OSPTTRANHANDLE transaction;
    int code;
    int failed;

    if (argc != 7) {
        fprintf(stderr, "usage: %s URL KEY CERTIFICATE AUTHORITY CALLING CALLED\n", argv[0]);
        return 2;
    }
    if (read_file(argv[2], &key) != 0 || read_file(argv[3], &certificate) != 0 ||
        read_file(argv[4], &authority) != 0) {
        return 2;
    }
    if (step("Init", OSPPInit(OSPC_FALSE)) != 0 ||
        step("ProviderNew", new_provider(argv[1], &provider)) != 0) {
        return 1;
    }
    failed = step("TransactionNew", OSPPTransactionNew(provider, &transaction));
    if (failed == 0) {
        failed = call(transaction, argv[5], argv[6]);
        code = step("TransactionDelete", OSPPTransactionDelete(transaction));
        failed = failed != 0 ? failed : code;
    }
    code = step("ProviderDelete", OSPPProviderDelete(provider, 0));
    OSPPCleanup();
    return failed != 0 || code != 0;
}
