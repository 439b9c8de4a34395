package dev.serval.examples.osp.call;

import dev.serval.examples.osp.message.AnswerWriter;
import dev.serval.examples.osp.message.Element;
import dev.serval.examples.osp.message.MessageReader;
import dev.serval.examples.osp.message.OspStatus;
import dev.serval.examples.osp.message.OspTime;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.cert.CertificateEncodingException;
import java.util.Base64;
import org.bouncycastle.cms.CMSException;
import org.bouncycastle.cms.CMSProcessableByteArray;
import org.bouncycastle.cms.CMSSignedData;
import org.bouncycastle.cms.CMSSignedDataGenerator;
import org.bouncycastle.cms.CMSVerifierCertificateNotValidException;
import org.bouncycastle.cms.SignerInformation;
import org.bouncycastle.cms.SignerInformationVerifier;
import org.bouncycastle.cms.jcajce.JcaSimpleSignerInfoGeneratorBuilder;
import org.bouncycastle.cms.jcajce.JcaSimpleSignerInfoVerifierBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.jspecify.annotations.Nullable;

/// Tokens that are signed: CMS signed data (RFC 5652 §5) around a `TokenInfo` in XML, as base64. The
/// certificate is inside, so a gateway needs only to trust it.
public final class SignedTokens implements Tokens {
    private static final int TOKEN_MAX_BYTES = 16 << 10;

    private final TokenKey key;
    private final MessageReader reader;

    /// Creates tokens that are signed by a key.
    public SignedTokens(TokenKey key, MessageReader reader) {
        this.key = key;
        this.reader = reader;
    }

    @Override
    public String form() {
        return "signed by " + key.algorithm();
    }

    @Override
    public String issue(TokenContent content) {
        try {
            CMSSignedDataGenerator generator = new CMSSignedDataGenerator();
            generator.addSignerInfoGenerator(
                    new JcaSimpleSignerInfoGeneratorBuilder()
                            .setDirectSignature(true)
                            .build(key.algorithm(), key.privateKey(), key.certificate()));
            generator.addCertificate(key.holder());
            CMSSignedData signed =
                    generator.generate(new CMSProcessableByteArray(xml(content)), true);
            return Base64.getEncoder().encodeToString(signed.getEncoded("DER"));
        } catch (OperatorCreationException
                | CertificateEncodingException
                | CMSException
                | IOException e) {
            throw new IllegalStateException("a token could not be signed", e);
        }
    }

    @Override
    public Checked check(String base64) {
        byte[] bytes;
        try {
            bytes = Base64.getMimeDecoder().decode(base64);
        } catch (IllegalArgumentException e) {
            return Checked.refused(OspStatus.SECURITY_PROBLEM);
        }
        if (bytes.length > TOKEN_MAX_BYTES) {
            return Checked.refused(OspStatus.SECURITY_PROBLEM);
        }
        try {
            CMSSignedData signed = new CMSSignedData(bytes);
            OspStatus status = verify(signed);
            if (status != OspStatus.SUCCESS || signed.getSignedContent() == null) {
                return Checked.refused(
                        status == OspStatus.SUCCESS ? OspStatus.SECURITY_PROBLEM : status);
            }
            ByteArrayOutputStream xml = new ByteArrayOutputStream();
            signed.getSignedContent().write(xml);
            return content(reader.tree(xml.toByteArray()));
        } catch (CMSException | IOException | RuntimeException e) {
            // Bouncy Castle reports some malformed structures by unchecked exceptions.
            return Checked.refused(OspStatus.SECURITY_PROBLEM);
        }
    }

    private OspStatus verify(CMSSignedData signed) {
        for (SignerInformation signer : signed.getSignerInfos()) {
            if (!signer.getSID().match(key.holder())) {
                return OspStatus.CERTIFICATE_INVALID;
            }
            try {
                SignerInformationVerifier verifier =
                        new JcaSimpleSignerInfoVerifierBuilder().build(key.certificate());
                return signer.verify(verifier) ? OspStatus.SUCCESS : OspStatus.SIGNATURE_INVALID;
            } catch (CMSVerifierCertificateNotValidException e) {
                return OspStatus.CERTIFICATE_INVALID;
            } catch (CMSException e) {
                return OspStatus.SIGNATURE_INVALID;
            } catch (OperatorCreationException e) {
                return OspStatus.ALGORITHM_UNSUPPORTED;
            }
        }
        return OspStatus.SIGNATURE_INVALID;
    }

    private static byte[] xml(TokenContent content) {
        StringBuilder out = new StringBuilder(600);
        out.append("<?xml version=\"1.0\"?>\n<TokenInfo random=\"1\">\n");
        AnswerWriter.element(out, "SourceInfo", "type", "e164", content.calling());
        AnswerWriter.element(out, "DestinationInfo", "type", "e164", content.called());
        if (!content.network().isEmpty()) {
            AnswerWriter.element(out, "DestinationAlternate", "type", "network", content.network());
        }
        AnswerWriter.element(out, "CallId", "encoding", "base64", content.callId());
        AnswerWriter.element(out, "ValidAfter", OspTime.text(content.validAfter()));
        AnswerWriter.element(out, "ValidUntil", OspTime.text(content.validUntil()));
        AnswerWriter.element(out, "TransactionId", Long.toUnsignedString(content.transactionId()));
        out.append("<UsageDetail>\n<Service/>\n");
        AnswerWriter.element(out, "Amount", Integer.toString(content.seconds()));
        AnswerWriter.element(out, "Increment", "1");
        AnswerWriter.element(out, "Unit", "s");
        out.append("</UsageDetail>\n</TokenInfo>\n");
        return out.toString().getBytes(StandardCharsets.UTF_8);
    }

    private static Checked content(@Nullable Element info) {
        if (info == null) {
            return Checked.refused(OspStatus.SECURITY_PROBLEM);
        }
        Element callId = info.child("CallId");
        String id = callId == null ? "" : callId.base64();
        Long after = OspTime.second(info.text("ValidAfter"));
        Long until = OspTime.second(info.text("ValidUntil"));
        Element usage = info.child("UsageDetail");
        if (id == null || after == null || until == null || usage == null) {
            return Checked.refused(OspStatus.SECURITY_PROBLEM);
        }
        return new Checked(
                OspStatus.SUCCESS,
                new TokenContent(
                        info.text("SourceInfo"),
                        info.text("DestinationInfo"),
                        id,
                        after,
                        until,
                        Long.parseUnsignedLong(info.text("TransactionId")),
                        Integer.parseInt(usage.text("Amount")),
                        info.text("DestinationAlternate", "network")));
    }
}
