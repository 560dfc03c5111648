package dev.mailroom.admin.operator;

import dev.mailroom.Refusal;
import dev.mailroom.account.Caller;
import dev.mailroom.admin.graphql.Callers;
import dev.mailroom.operator.Operator;
import dev.mailroom.operator.Operators;
import graphql.schema.DataFetchingEnvironment;
import reactor.core.publisher.Mono;

import org.springframework.core.MethodParameter;
import org.springframework.graphql.data.method.HandlerMethodArgumentResolver;
import org.springframework.stereotype.Component;

/**
 * Resolves parameters of the type {@code Operator} in mutations. The role must be in the
 * access token and in the database.
 */
@Component
class OperatorArguments implements HandlerMethodArgumentResolver {

	private static final Refusal FORBIDDEN = Refusal.forbidden("Forbidden");

	private final Operators operators;

	OperatorArguments(Operators operators) {
		this.operators = operators;
	}

	@Override
	public boolean supportsParameter(MethodParameter parameter) {
		return parameter.getParameterType() == Operator.class;
	}

	/** A field of the type Operator has it as its source. */
	@Override
	public Object resolveArgument(MethodParameter parameter, DataFetchingEnvironment environment) {
		return (environment.getSource() instanceof OperatorResolver.Console console) ? console.operator()
				: authorize(Callers.require(environment.getGraphQlContext()));
	}

	Mono<Operator> authorize(Caller caller) {
		return (caller.role() == Caller.Role.OPERATOR) ? this.operators.authorize(caller.scope())
				: Mono.error(FORBIDDEN.because("Only operators may use this"));
	}

}
