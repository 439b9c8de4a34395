package dev.serval.jsp;

import jakarta.el.ELContext;
import jakarta.el.ELResolver;
import jakarta.el.ExpressionFactory;
import jakarta.el.MethodExpression;
import jakarta.el.ValueExpression;
import java.lang.reflect.Method;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// Keeps the parsed expressions of one application's pages. Jasper gives the text of an expression
/// to this factory for each evaluation, and would prepare it each time.
///
/// An expression is kept if its meaning depends on its text only: it calls no function, whose prefix
/// each page defines, and the page has no EL variables. Any thread.
final class ParsedExpressions extends ExpressionFactory {
    /// Code of an application may make any number of expressions, such as with numbers in them.
    private static final int KEPT_MAX = 10_000;

    private final ExpressionFactory parser;
    private final Map<Class<?>, Map<String, ValueExpression>> kept = new ConcurrentHashMap<>();

    ParsedExpressions(ExpressionFactory parser) {
        this.parser = parser;
    }

    @Override
    public ValueExpression createValueExpression(ELContext el, String text, Class<?> type) {
        if (!(el instanceof PageElContext page) || page.hasVariables()) {
            return parser.createValueExpression(el, text, type);
        }
        @Nullable Map<String, ValueExpression> ofType = kept.get(type);
        @Nullable ValueExpression known = ofType == null ? null : ofType.get(text);
        return known == null ? parse(el, text, type) : known;
    }

    private ValueExpression parse(ELContext el, String text, Class<?> type) {
        ValueExpression parsed = parser.createValueExpression(el, text, type);
        if (text.indexOf('(') < 0) { // no function
            Map<String, ValueExpression> ofType =
                    kept.computeIfAbsent(type, _ -> new ConcurrentHashMap<>());
            if (ofType.size() < KEPT_MAX) {
                ofType.put(text, parsed);
            }
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
