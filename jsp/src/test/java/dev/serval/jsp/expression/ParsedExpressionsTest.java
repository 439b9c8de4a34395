package dev.serval.jsp.expression;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.el.ELContext;
import jakarta.el.ExpressionFactory;
import jakarta.el.FunctionMapper;
import jakarta.el.ValueExpression;
import jakarta.el.VariableMapper;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Map;
import org.apache.jasper.el.ELContextImpl;
import org.apache.jasper.runtime.ProtectedFunctionMapper;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class ParsedExpressionsTest {
    private final ExpressionFactory parser = ExpressionFactory.newInstance();
    private final ParsedExpressions expressions = new ParsedExpressions(parser);
    private final PageElContext el = context();

    private PageElContext context() {
        return new PageElContext(
                new PageResolver(List.of(), parser.getStreamELResolver()),
                new PageImports.Unknown());
    }

    private ValueExpression parsed(ELContext context, String text, Class<?> type) {
        return expressions.createValueExpression(context, text, type);
    }

    private static Object value(ValueExpression expression, ELContext context) {
        return expression.getValue(context);
    }

    @Test
    void parsesATextOnceForEachType() {
        ValueExpression first = parsed(el, "${1 + 1}", Object.class);
        assertThat(parsed(context(), "${1 + 1}", Object.class)).isSameAs(first);
        assertThat(parsed(el, "${1 + 1}", String.class)).isNotSameAs(first);
        assertThat(value(first, el)).isEqualTo(2L);
        assertThat(value(parsed(el, "${1 + 1}", String.class), el)).isEqualTo("2");
    }

    @Test
    void variablesOfAPageChangeOnlyItsExpressions() {
        ValueExpression kept = parsed(el, "${v}", Object.class);
        PageElContext other = context();
        other.getVariableMapper()
                .setVariable("v", parser.createValueExpression("by variable", Object.class));
        assertThat(value(parsed(other, "${v}", Object.class), other)).isEqualTo("by variable");
        assertThat(parsed(el, "${v}", Object.class)).isSameAs(kept);
        other.getVariableMapper().setVariable("v", null);
        assertThat(parsed(other, "${v}", Object.class)).isSameAs(kept);
        VariableMapper set = context().getVariableMapper();
        other.setVariableMapper(set);
        assertThat(other.getVariableMapper()).isSameAs(set);
        assertThat(parsed(other, "${v}", Object.class)).isNotSameAs(kept);
    }

    @Test
    void aFunctionIsThatOfEachPage() throws NoSuchMethodException {
        PageElContext other = context();
        el.setFunctionMapper(functions("toHexString"));
        other.setFunctionMapper(functions("toBinaryString"));
        assertThat(value(parsed(el, "${f:text(10)}", Object.class), el)).isEqualTo("a");
        assertThat(value(parsed(other, "${f:text(10)}", Object.class), other)).isEqualTo("1010");
    }

    /// As Jasper compiles them into a page.
    @Test
    void parsesATextWithAFunctionOnceForEachPage() {
        ProtectedFunctionMapper hex = ofPage("toHexString");
        ProtectedFunctionMapper binary = ofPage("toBinaryString");
        ValueExpression first = parsed(context(hex), "${f:text(10)}", Object.class);
        assertThat(parsed(context(hex), "${f:text(10)}", Object.class)).isSameAs(first);
        assertThat(parsed(context(hex), "${f:text(10)}", String.class)).isNotSameAs(first);
        PageElContext other = context(binary);
        assertThat(value(parsed(other, "${f:text(10)}", Object.class), other)).isEqualTo("1010");
        assertThat(value(parsed(context(hex), "${f:text(10)}", Object.class), el)).isEqualTo("a");
    }

    @Test
    void parsesACallOfAMethodOnce() {
        PageElContext without = context(null);
        ValueExpression first = parsed(without, "${'abc'.length()}", Object.class);
        assertThat(parsed(context(null), "${'abc'.length()}", Object.class)).isSameAs(first);
        assertThat(value(first, without)).isEqualTo(3);
        PageElContext withFunctions = context(ofPage("toHexString"));
        assertThat(parsed(withFunctions, "${'abc'.length()}", Object.class)).isNotSameAs(first);
    }

    /// Code may make a mapper for each expression.
    @Test
    void keepsNothingForOtherMappers() throws NoSuchMethodException {
        FunctionMapper own = functions("toHexString");
        el.setFunctionMapper(own);
        assertThat(parsed(el, "${f:text(10)}", Object.class))
                .isNotSameAs(parsed(el, "${f:text(10)}", Object.class));
    }

    @Test
    void keepsTheExpressionsOfSoManyPages() {
        ProtectedFunctionMapper first = ofPage("toHexString");
        ValueExpression kept = parsed(context(first), "${f:text(10)}", Object.class);
        for (int i = 1; i < 1_000; i++) {
            parsed(context(ofPage("toHexString")), "${f:text(10)}", Object.class);
        }
        ProtectedFunctionMapper beyond = ofPage("toHexString");
        assertThat(parsed(context(beyond), "${f:text(10)}", Object.class))
                .isNotSameAs(parsed(context(beyond), "${f:text(10)}", Object.class));
        assertThat(parsed(context(first), "${f:text(10)}", Object.class)).isSameAs(kept);
        ValueExpression another = parsed(context(first), "${f:text(11)}", Object.class);
        assertThat(parsed(context(first), "${f:text(11)}", Object.class)).isSameAs(another);
    }

    /// As Jasper makes it for each page: null for a page without functions.
    private PageElContext context(@Nullable FunctionMapper functions) {
        PageElContext made = context();
        made.setFunctionMapper(functions);
        return made;
    }

    private static ProtectedFunctionMapper ofPage(String method) {
        return ProtectedFunctionMapper.getMapForFunction(
                "f:text", Integer.class, method, new Class<?>[] {int.class});
    }

    private static FunctionMapper functions(String method) throws NoSuchMethodException {
        Method found = Integer.class.getMethod(method, int.class);
        return new FunctionMapper() {
            @Override
            public Method resolveFunction(String prefix, String name) {
                return found;
            }
        };
    }

    @Test
    void otherContextsAreNotKept() {
        ELContext foreign = new ELContextImpl();
        assertThat(parsed(foreign, "${1}", Object.class))
                .isNotSameAs(parsed(foreign, "${1}", Object.class));
    }

    @Test
    void keepsSoManyTexts() {
        for (int i = 0; i < 10_000; i++) {
            parsed(el, "${" + i + "}", Object.class);
        }
        ValueExpression beyond = parsed(el, "${10000}", Object.class);
        assertThat(parsed(el, "${10000}", Object.class)).isNotSameAs(beyond);
        assertThat(parsed(el, "${9999}", Object.class))
                .isSameAs(parsed(el, "${9999}", Object.class));
    }

    @Test
    void passesOtherCallsToTheParser() {
        assertThat(expressions.coerceToType("7", Integer.class)).isEqualTo(7);
        assertThat(expressions.getStreamELResolver()).isNotNull();
        assertThat(expressions.getInitFunctionMap()).isEqualTo(parser.getInitFunctionMap());
        ValueExpression constant = expressions.createValueExpression("x", String.class);
        assertThat(value(constant, el)).isEqualTo("x");
        Object size =
                expressions
                        .createMethodExpression(
                                withMap(), "${m.size}", Object.class, new Class<?>[0])
                        .getMethodInfo(withMap())
                        .getName();
        assertThat(size).isEqualTo("size");
    }

    private ELContext withMap() {
        PageElContext context = context();
        context.getVariableMapper()
                .setVariable("m", parser.createValueExpression(Map.of(), Map.class));
        return context;
    }
}
