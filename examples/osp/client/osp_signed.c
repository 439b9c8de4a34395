/*
 * Builds a signed message, or checks a signed answer, by the OSP toolkit of Debian (package
 * libosptk-dev), as its builds with S/MIME do it.
 *
 *   cc -Wall -Wextra -o osp_signed osp_signed.c -losptk
 *   ./osp_signed key.der certificate.der authority.der sign message.xml request
 *   ./osp_signed key.der certificate.der authority.der check answer message.xml TYPE
 *
 * `sign` writes the body of a request of the type that OSPC_HTTP_MULTI_HEADER names. `check` reads
 * the body of an answer of this type and writes the message that its signature proves. Each step
 * prints the toolkit's return code; 0 is success.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "osp/osp.h"
#include "osp/ospinit.h"
#include "osp/ospmime.h"
#include "osp/ospsecurity.h"

enum { FILE_MAX_BYTES = 65536 };

struct file {
    unsigned char bytes[FILE_MAX_BYTES];
    unsigned length;
};

static struct file key, certificate, authority, input;
static unsigned char placeholder[] = "Signature placeholder";

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

static int write_file(const char *name, const unsigned char *bytes, unsigned length)
{
    FILE *file = fopen(name, "wb");
    size_t written;
    if (file == NULL) {
        perror(name);
        return -1;
    }
    written = fwrite(bytes, 1, length, file);
    return fclose(file) == 0 && written == length ? 0 : -1;
}

static int step(const char *name, int code)
{
    printf("%s %d\n", name, code);
    return code;
}

static int new_security(OSPTSEC **security)
{
    OSPTPRIVATEKEY private_key = {key.bytes, key.length};
    OSPT_CERT trusted = {authority.bytes, authority.length};
    const OSPT_CERT *authorities[1] = {&trusted};
    unsigned long customer = 0;
    unsigned long device = 0;
    if (step("SecNew", OSPPSecNew(security)) != 0 ||
        step("SetPrivateKey", OSPPSecSetPrivateKey(*security, &private_key)) != 0) {
        return -1;
    }
    if (step("SetLocalCertificate", OSPPSecSetLocalCertificate(*security, certificate.bytes,
                                                               &customer, &device)) != 0) {
        return -1;
    }
    return step("SetAuthorityCertificates",
                OSPPSecSetAuthorityCertificates(*security, 1, authorities));
}

static int sign(OSPTSEC *security, const char *to)
{
    unsigned char *signature = NULL;
    unsigned signature_length = 0;
    unsigned char *body = NULL;
    unsigned body_length = 0;
    if (step("SignatureCreate",
             OSPPSecSignatureCreate(security, input.bytes, input.length, &signature,
                                    &signature_length, OSPC_SEC_SIGNATURE_ONLY)) != 0) {
        return -1;
    }
    if (signature == NULL) { /* as the toolkit does in builds that cannot sign */
        signature = placeholder;
        signature_length = sizeof placeholder - 1;
    }
    if (step("MimeMessageCreate", OSPPMimeMessageCreate(input.bytes, input.length, signature,
                                                        signature_length, &body,
                                                        &body_length)) != 0) {
        return -1;
    }
    return write_file(to, body, body_length);
}

static int check(OSPTSEC *security, const char *to, char *type)
{
    unsigned char *message = NULL;
    unsigned message_length = 0;
    unsigned char *signature = NULL;
    unsigned signature_length = 0;
    if (step("MimeMessageParse",
             OSPPMimeMessageParse(input.bytes, input.length, (unsigned char *)type,
                                  (unsigned)strlen(type), &message, &message_length, &signature,
                                  &signature_length)) != 0) {
        return -1;
    }
    if (step("SignatureVerify",
             OSPPSecSignatureVerify(security, &message, &message_length, signature,
                                    signature_length, OSPC_SEC_SIGNATURE_ONLY)) != 0) {
        return -1;
    }
    return write_file(to, message, message_length);
}

int main(int argc, char **argv)
{
    OSPTSEC *security = NULL;
    int checks = argc == 8 && strcmp(argv[4], "check") == 0;
    int signs = argc == 7 && strcmp(argv[4], "sign") == 0;
    if (!checks && !signs) {
        fprintf(stderr, "usage: %s KEY CERTIFICATE AUTHORITY sign|check FROM TO [TYPE]\n", argv[0]);
        return 2;
    }
    if (read_file(argv[1], &key) != 0 || read_file(argv[2], &certificate) != 0 ||
        read_file(argv[3], &authority) != 0 || read_file(argv[5], &input) != 0) {
        return 2;
    }
    if (step("Init", OSPPInit(OSPC_FALSE)) != 0 || new_security(&security) != 0) {
        return 1;
    }
    return (checks ? check(security, argv[6], argv[7]) : sign(security, argv[6])) != 0;
}
