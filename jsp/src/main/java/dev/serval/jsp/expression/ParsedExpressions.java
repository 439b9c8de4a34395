package dev.serval.jsp.expression;

import jakarta.el.ELContext;
import jakarta.el.ELResolver;
import jakarta.el.ExpressionFactory;
import jakarta.el.FunctionMapper;
import jakarta.el.MethodExpression;
import jakarta.el.ValueExpression;
import java.lang.reflect.Method;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.jasper.runtime.ProtectedFunctionMapper;
import org.jspecify.annotations.Nullable;

/// Keeps the parsed expressions of one application's pages. Jasper gives the text of an expression
/// to this factory for each evaluation, and would prepare it each time.
///
/// An expression is kept if its meaning depends only on its text and on the functions of its page: not if
/// the page has EL variables. Any thread.
final class ParsedExpressions extends ExpressionFactory {
    /// Code of an application may make any number of expressions, such as with numbers in them.
    private static final int KEPT_MAX = 10_000;

    /// The lists of functions for which expressions are kept. A page has one for each set of tag
    /// libraries, and others after it was changed.
    private static final int MAPPERS_MAX = 1_000;

    /// Expressions by their type and text.
    private static final class Kept {
        private final Map<Class<?>, Map<String, ValueExpression>> byType =
                new ConcurrentHashMap<>();

        private @Nullable ValueExpression get(String text, Class<?> type) {
            @Nullable Map<String, ValueExpression> ofType = byType.get(type);
            return ofType == null ? null : ofType.get(text);
        }

        private void put(String text, Class<?> type, ValueExpression parsed) {
            Map<String, ValueExpression> ofType =
                    byType.computeIfAbsent(type, _ -> new ConcurrentHashMap<>());
            if (ofType.size() < KEPT_MAX) {
                ofType.put(text, parsed);
            }
        }
    }

    private final ExpressionFactory parser;
    private final Kept plain = new Kept(); // with the same meaning in each page
    private final Kept withoutFunctions = new Kept(); // of pages that have none
    private final Map<FunctionMapper, Kept> byFunctions = new ConcurrentHashMap<>();

    ParsedExpressions(ExpressionFactory parser) {
        this.parser = parser;
    }

    @Override
    public ValueExpression createValueExpression(ELContext el, String text, Class<?> type) {
        if (!(el instanceof PageElContext page) || page.hasVariables()) {
            return parser.createValueExpression(el, text, type);
        }
        @Nullable ValueExpression known = plain.get(text, type);
        if (known != null) {
            return known;
        }
        @Nullable FunctionMapper functions = el.getFunctionMapper();
        @Nullable Kept ofPage = functions == null ? withoutFunctions : byFunctions.get(functions);
        known = ofPage == null ? null : ofPage.get(text, type);
        return known == null ? parse(el, functions, text, type) : known;
    }

    private ValueExpression parse(
            ELContext el, @Nullable FunctionMapper functions, String text, Class<?> type) {
        ValueExpression parsed = parser.createValueExpression(el, text, type);
        if (text.indexOf('(') < 0) { // it calls nothing
            plain.put(text, type, parsed);
        } else if (functions == null) {
            withoutFunctions.put(text, type, parsed);
        } else if (functions instanceof ProtectedFunctionMapper // a page has it for ever
                && (byFunctions.size() < MAPPERS_MAX || byFunctions.containsKey(functions))) {
            byFunctions.computeIfAbsent(functions, _ -> new Kept()).put(text, type, parsed);
        }
        return parsed;
    }

    @Override
    public ValueExpression createValueExpression(@Nullable Object value, Class<?> type) {
        return parser.createValueExpression(value, type);
    }

    @Override
    public MethodExpression createMethodExpression(
            ELContext el, String text, @Nullable Class<?> result, Class<?>[] parameters) {
        return parser.createMethodExpression(el, text, result, parameters);
    }

    @Override
    public <T> @Nullable T coerceToType(@Nullable Object value, Class<T> type) {
        return parser.coerceToType(value, type);
    }

    @Override
    public @Nullable ELResolver getStreamELResolver() {
        return parser.getStreamELResolver();
    }

    @Override
    public @Nullable Map<String, Method> getInitFunctionMap() {
        return parser.getInitFunctionMap();
    }
}
