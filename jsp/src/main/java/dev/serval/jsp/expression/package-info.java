/// Expressions of pages: how names, properties and conversions are resolved, and how parsed expressions
/// are kept, in place of what Jasper and the Jakarta APIs have.
///
/// Entry types: [dev.serval.jsp.expression.PageExpressions], which connects an application with Jasper, and
/// [dev.serval.jsp.expression.PageFactory], the factory of pages that has it. Expressions are evaluated on
/// the threads of requests. Depends on the Jakarta APIs and Jasper.
@NullMarked
package dev.serval.jsp.expression;

import org.jspecify.annotations.NullMarked;
