package dev.mailroom.admin.graphql;

import java.util.List;

import dev.mailroom.Refused;
import dev.mailroom.authentication.Caller;
import graphql.execution.AbortExecutionException;
import graphql.execution.instrumentation.DocumentAndVariables;
import graphql.execution.instrumentation.InstrumentationState;
import graphql.execution.instrumentation.SimplePerformantInstrumentation;
import graphql.execution.instrumentation.parameters.InstrumentationExecutionParameters;
import org.jspecify.annotations.Nullable;

import org.springframework.stereotype.Component;

/** Refuses documents beyond the limits, after they are parsed and before validation. */
@Component
class CostInstrumentation extends SimplePerformantInstrumentation {

	@Override
	public DocumentAndVariables instrumentDocumentAndVariables(DocumentAndVariables document,
			InstrumentationExecutionParameters parameters, @Nullable InstrumentationState state) {
		boolean operator = Callers.find(parameters.getGraphQLContext())
			.filter((caller) -> caller.role() == Caller.Role.OPERATOR)
			.isPresent();
		try {
			DocumentCost.check(parameters.getSchema(), document.getDocument(), document.getVariables(), operator);
		}
		catch (Refused refused) {
			throw new AbortExecutionException(List.of(Errors.of(refused).build()));
		}
		return document;
	}

}
