package dev.serval.jsp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.testkit.mode.EveryMode;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Expressions that the resolvers of the API refuse, and those of Tomcat do not.
@EveryMode
@Timeout(120)
final class ExpressionsTest {
    private static String evaluated(String page) throws IOException {
        try (JspApp app = new JspApp().webXml("").jstl().file("a.jsp", page);
                JspServer server = JspServer.start(app)) {
            return server.text("/a.jsp");
        }
    }

    @Test
    void attributesOfAScopeMayBeChanged() throws IOException {
        String page =
                """
                <%@ taglib prefix="c" uri="jakarta.tags.core" %>
                ${pageScope.a = 1}${requestScope['a'] = 2}${sessionScope.a = 3}${applicationScope.a = 4}
                <c:set target="${requestScope}" property="b" value="5"/>
                <c:set target="${sessionScope}" property="a"/>
                ${a}${requestScope.a}${requestScope.b}[${sessionScope.a}]${applicationScope.a}
                <c:forEach items="${requestScope}" var="e"><c:if test="${e.key == 'a'}">
                ${e.value}</c:if></c:forEach>
                ${requestScope.size() > 1}${requestScope.containsKey('c')}${empty requestScope}
                """;
        assertThat(evaluated(page).replaceAll("\\s", "")).isEqualTo("1234125[]42truefalsefalse");
    }

    @Test
    void elementsOfPrimitiveArraysMayBeSet() throws IOException {
        String page =
                """
                <% pageContext.setAttribute("a", new int[] {1, 2}); %>
                ${a[0] = '7'}${a[0]}${a['1'] = 8}${a[1]}
                """;
        assertThat(evaluated(page)).isEqualTo("7788");
        assertThat(
                        evaluated(
                                "<% pageContext.setAttribute(\"a\", new Object[1]); %>${a[0] = 1}${a[0]}"))
                .isEqualTo("11");
    }

    @Test
    void absentAttributeMayHaveTheNameOfAnInterface() throws IOException {
        assertThat(evaluated("[${Filter}${Record.x}${empty Number}]${Integer.MAX_VALUE}"))
                .isEqualTo("[true]2147483647");
        assertThat(evaluated("<%@ page import=\"java.util.List\" %>[${List}]")).isEqualTo("[]");
    }
}
