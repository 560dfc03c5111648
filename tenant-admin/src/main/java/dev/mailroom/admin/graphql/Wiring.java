package dev.mailroom.admin.graphql;

import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

import graphql.schema.idl.EnumValuesProvider;
import graphql.schema.idl.RuntimeWiring;
import graphql.schema.idl.TypeRuntimeWiring;

import org.springframework.graphql.execution.RuntimeWiringConfigurer;
import org.springframework.stereotype.Component;

/** The schema's scalars, and its enums whose values are texts of the contract. */
@Component
class Wiring implements RuntimeWiringConfigurer {

	/** Enums whose values are the names in lower case. */
	private static final List<String> LOWER_CASE = List.of("AccountRole", "EmailStatus", "EmailStream",
			"DeliveryStatus", "DeliveryPhase", "DeliveryHold", "AttemptOutcome", "AttemptTransport", "LineOrigin",
			"InboundStatus", "CallStatus", "SuppressionReason", "TransportName", "DeadLetterKind", "ActorKind",
			"MemberRole");

	@Override
	public void configure(RuntimeWiring.Builder builder) {
		Stream.of(Scalars.DATE_TIME, Scalars.UUID_TYPE, Scalars.EMAIL_ADDRESS, Scalars.LONG, Scalars.JSON)
			.forEach(builder::scalar);
		LOWER_CASE.forEach((name) -> texts(builder, name, Wiring::lowerCase));
		texts(builder, "KeyPermission", (name) -> lowerCase(name).replace('_', '.'));
		texts(builder, "DkimAlgorithm", (name) -> lowerCase(name).replace('_', '-'));
	}

	private static void texts(RuntimeWiring.Builder builder, String name, EnumValuesProvider values) {
		builder.type(TypeRuntimeWiring.newTypeWiring(name).enumValues(values));
	}

	private static String lowerCase(String name) {
		return name.toLowerCase(Locale.ROOT);
	}

}
