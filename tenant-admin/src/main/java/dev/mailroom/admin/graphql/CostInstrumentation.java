package dev.mailroom.admin.graphql;

import java.util.List;
import java.util.Optional;

import dev.mailroom.Refused;
import dev.mailroom.account.Caller;
import graphql.execution.AbortExecutionException;
import graphql.execution.instrumentation.DocumentAndVariables;
import graphql.execution.instrumentation.InstrumentationState;
import graphql.execution.instrumentation.SimplePerformantInstrumentation;
import graphql.execution.instrumentation.parameters.InstrumentationExecutionParameters;
import org.jspecify.annotations.Nullable;

import org.springframework.stereotype.Component;

/**
 * Refuses documents that need a caller and have none, documents beyond the limits, and
 * requests beyond the rates of their account, after they are parsed and before
 * validation.
 */
@Component
class CostInstrumentation extends SimplePerformantInstrumentation {

	private final AccountRates rates;

	CostInstrumentation(AccountRates rates) {
		this.rates = rates;
	}

	@Override
	public DocumentAndVariables instrumentDocumentAndVariables(DocumentAndVariables document,
			InstrumentationExecutionParameters parameters, @Nullable InstrumentationState state) {
		Optional<Caller> caller = Callers.find(parameters.getGraphQLContext());
		boolean operator = caller.filter((it) -> it.role() == Caller.Role.OPERATOR).isPresent();
		try {
			if (caller.isEmpty() && !OpenFields.suffice(document.getDocument(), parameters.getOperation())) {
				throw Callers.unauthorized();
			}
			DocumentCost.Total cost = DocumentCost.check(parameters.getSchema(), document.getDocument(),
					document.getVariables(), operator);
			caller.ifPresent((it) -> this.rates.consume(it.scope().account(), cost));
		}
		catch (Refused refused) {
			throw new AbortExecutionException(List.of(Errors.of(refused).build()));
		}
		return document;
	}

}
