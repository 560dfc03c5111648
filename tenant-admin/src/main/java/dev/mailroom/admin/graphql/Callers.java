package dev.mailroom.admin.graphql;

import java.util.Optional;
import java.util.Set;

import dev.mailroom.Refusal;
import dev.mailroom.Refused;
import dev.mailroom.Scope;
import dev.mailroom.account.Caller;
import dev.mailroom.account.Right;
import graphql.GraphQLContext;
import graphql.schema.DataFetchingEnvironment;
import graphql.schema.GraphQLNamedType;

import org.springframework.core.MethodParameter;
import org.springframework.graphql.data.method.HandlerMethodArgumentResolver;
import org.springframework.stereotype.Component;

/**
 * Resolves parameters of the types {@code Scope} and {@code Caller}. A field with such a
 * parameter is refused without a caller. In a request with a {@link Watch} the scope is
 * the watched account, the caller is still the operator, and mutations with such a
 * parameter, which are those of tenants, are refused.
 */
@Component
public class Callers implements HandlerMethodArgumentResolver {

	/** Key of the caller in the context of a request. */
	static final String KEY = "caller";

	/** Fields for callers who may only set up a second factor. */
	private static final Set<String> WHILE_ENROLLING = Set.of("beginSecondFactor", "confirmSecondFactor");

	private static final Refusal FORBIDDEN = Refusal.forbidden("Forbidden");

	private static final Refusal UNAUTHORIZED = new Refusal(Refusal.Kind.UNAUTHENTICATED, "Unauthorized");

	@Override
	public boolean supportsParameter(MethodParameter parameter) {
		return parameter.getParameterType() == Scope.class || parameter.getParameterType() == Caller.class;
	}

	@Override
	public Object resolveArgument(MethodParameter parameter, DataFetchingEnvironment environment) {
		Caller caller = require(environment.getGraphQlContext());
		if (caller.role() == Caller.Role.ENROLLING && !WHILE_ENROLLING.contains(environment.getField().getName())) {
			throw FORBIDDEN.because("Operators need a second factor: set it up first.");
		}
		Optional<Watch> watch = Watch.of(environment.getGraphQlContext());
		if (isMutation(environment)) {
			if (watch.isPresent()) {
				throw FORBIDDEN.because("An account that is watched can only be read. Stop watching it first.");
			}
			requireRole(caller, FieldRights.of(environment.getField().getName()));
		}
		if (parameter.getParameterType() == Caller.class) {
			return caller;
		}
		return watch.map(Watch::scope).orElse(caller.scope());
	}

	private static boolean isMutation(DataFetchingEnvironment environment) {
		return environment.getParentType() instanceof GraphQLNamedType type && type.getName().equals("Mutation");
	}

	/** Whether the caller of a request may make a change. */
	public static boolean permits(GraphQLContext context, Right right) {
		return Watch.of(context).isEmpty() && right.permits(require(context).member());
	}

	/**
	 * Refuses to show what only members with a right read, and operators who watch the
	 * account.
	 * @throws Refused {@code Forbidden}
	 */
	public static void requireReader(GraphQLContext context, Right right) {
		if (Watch.of(context).isEmpty()) {
			requireRole(require(context), right);
		}
	}

	private static void requireRole(Caller caller, Right right) {
		if (!right.permits(caller.member())) {
			throw FORBIDDEN.because("Your role in this account, " + caller.member().contractName()
					+ ", does not permit this; it needs the role " + right.role().contractName() + ".");
		}
	}

	/**
	 * The caller of a request.
	 * @throws Refused {@code Unauthorized} without one
	 */
	public static Caller require(GraphQLContext context) {
		return find(context).orElseThrow(Callers::unauthorized);
	}

	/** The caller of a request; empty without one. */
	public static Optional<Caller> find(GraphQLContext context) {
		return context.getOrEmpty(KEY);
	}

	/** Refuses a request without a caller. */
	static Refused unauthorized() {
		return UNAUTHORIZED.because("Sign in, and send the access token as Authorization: Bearer <token>.");
	}

}
