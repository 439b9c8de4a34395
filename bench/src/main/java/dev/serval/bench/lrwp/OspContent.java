package dev.serval.bench.lrwp;

/// The messages of the paper's load, in the sizes that a real client sends: an authorisation of
/// about 0.9 kB and a usage report of about 2.1 kB.
final class OspContent {
    private OspContent() {}

    static String authorization() {
        return """
        <?xml version="1.0"?>
        <Message messageId="##########" random="771366798">
        <AuthorizationRequest componentId="1##########">
        <Timestamp>
        2026-11-21T03:49:44Z</Timestamp>
        <CallId encoding="base64">MQ==</CallId>
        <SourceInfo type="e164">
        14048724799</SourceInfo>
        <SourceAlternate type="transport">
        [127.0.0.9]</SourceAlternate>
        <SourceAlternate type="network">
        source-network-1</SourceAlternate>
        <DestinationInfo type="e164">
        1678</DestinationInfo>
        <Service/>
        <MaximumDestinations>
        8</MaximumDestinations>
        <CustomerId critical="false">
        1000</CustomerId>
        <DeviceId critical="false">
        1000</DeviceId>
        <SignalingProtocol critical="false">
        sip</SignalingProtocol>
        <UserAgent critical="false">
        load of the benchmark suite</UserAgent>
        <CallType critical="false">
        long distance</CallType>
        <FromSourceInfo type="e164" critical="false">
        14048724799</FromSourceInfo>
        </AuthorizationRequest>
        </Message>
        """;
    }

    /// Returns a usage report.
    ///
    /// @param role `source` or `destination`
    static String usage(String role) {
        return "<?xml version=\"1.0\"?>\n<Message messageId=\"##########\" random=\"771366798\">\n"
                + component(role, "1", "41", "")
                + component(role, "2", "16", MEASURED)
                + "</Message>\n";
    }

    private static final String MEASURED =
            """
            <Amount>30.000</Amount>
            <Increment>1</Increment>
            <Unit>s</Unit>
            <PostDialDelay type="source">1.010</PostDialDelay>
            <ReleaseSource>source</ReleaseSource>
            <Statistics critical="false">
            <LossSent critical="false"><Packets>1</Packets><Fraction>2</Fraction></LossSent>
            <LossReceived critical="false"><Packets>3</Packets><Fraction>4</Fraction></LossReceived>
            </Statistics>
            """;

    private static String component(String role, String number, String cause, String measured) {
        return "<UsageIndication componentId=\""
                + number
                + "##########\">\n"
                + "<Timestamp>\n2026-11-21T03:50:44Z</Timestamp>\n"
                + "<Role>\n"
                + role
                + "</Role>\n"
                + "<TransactionId>\n473314##########</TransactionId>\n"
                + "<CallId encoding=\"base64\">MQ==</CallId>\n"
                + "<SourceInfo type=\"e164\">\n14048724799</SourceInfo>\n"
                + "<SourceAlternate type=\"transport\">\n[127.0.0.9]</SourceAlternate>\n"
                + "<SourceAlternate type=\"network\">\nsource-network-1</SourceAlternate>\n"
                + "<DestinationInfo type=\"e164\">\n1678</DestinationInfo>\n"
                + "<DestinationAlternate type=\"transport\">\n[192.0.2."
                + number
                + "]</DestinationAlternate>\n"
                + "<Group><GroupId>473314##########</GroupId></Group>\n"
                + "<CustomerId critical=\"false\">\n1000</CustomerId>\n"
                + "<DeviceId critical=\"false\">\n1000</DeviceId>\n"
                + "<UserAgent critical=\"false\">\nload of the suite</UserAgent>\n"
                + "<UsageDetail>\n<Service/>\n"
                + measured
                + "<TerminationCause type=\"q850\">\n<TCCode>"
                + cause
                + "</TCCode></TerminationCause>\n</UsageDetail>\n</UsageIndication>\n";
    }
}
