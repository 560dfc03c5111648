package dev.mailroom.admin.graphql;

import java.util.List;
import java.util.Optional;
import java.util.UUID;

import dev.mailroom.Refused;
import dev.mailroom.account.Caller;
import dev.mailroom.http.AccountRates;
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

	/** Cost that counts as one more request. */
	private static final int COST_OF_REQUEST = 200;

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
			caller.ifPresent((it) -> consume(it.scope().account(), cost));
		}
		catch (Refused refused) {
			throw new AbortExecutionException(List.of(Errors.of(refused).build()));
		}
		return document;
	}

	/** Counts a request by its cost, and the mails to send that it contains. */
	private void consume(UUID account, DocumentCost.Total cost) {
		this.rates.consume(account, false, 1 + cost.objects() / COST_OF_REQUEST).ifPresent(AccountRates.Rate::require);
		if (cost.sends() > 0) {
			this.rates.consume(account, true, cost.sends()).ifPresent(AccountRates.Rate::require);
		}
	}

}
