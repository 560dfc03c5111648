package dev.mailroom.admin.graphql;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

import graphql.schema.GraphQLArgument;
import graphql.schema.GraphQLEnumType;
import graphql.schema.GraphQLFieldDefinition;
import graphql.schema.GraphQLInputObjectType;
import graphql.schema.GraphQLList;
import graphql.schema.GraphQLNamedType;
import graphql.schema.GraphQLNonNull;
import graphql.schema.GraphQLObjectType;
import graphql.schema.GraphQLScalarType;
import graphql.schema.GraphQLType;
import graphql.schema.GraphQLTypeUtil;

/** Selections of fields with arguments that are generated from the schema. */
final class FieldDocuments {

	/** An optional field without which an id of its input is not read, and that id. */
	private static final String CONTENT = "createCampaign.textContent createCampaign.contactBookId";

	/** Fields of inputs that are checked, which have an invalid value. */
	private static final Set<String> INVALID = Set.of("checkContacts.email", "templateDraft.textContent");

	private FieldDocuments() {
	}

	/** The selection of a field, with its type alone if it has fields. */
	static String call(GraphQLFieldDefinition field, Ids ids) {
		boolean composite = GraphQLTypeUtil.unwrapAll(field.getType()) instanceof GraphQLObjectType;
		return field.getName() + arguments(field, ids) + (composite ? " { __typename }" : "");
	}

	/** The arguments of a field that it requires or that are ids. */
	static String arguments(GraphQLFieldDefinition field, Ids ids) {
		String arguments = field.getArguments()
			.stream()
			.filter((argument) -> argument.getType() instanceof GraphQLNonNull || isId(argument))
			.filter((argument) -> !argument.hasSetDefaultValue())
			.map((argument) -> argument(field, argument, ids))
			.collect(Collectors.joining(", "));
		return arguments.isEmpty() ? "" : "(" + arguments + ")";
	}

	/** An argument with a value. */
	static String argument(GraphQLFieldDefinition field, GraphQLArgument argument, Ids ids) {
		return argument.getName() + ": " + value(field.getName(), argument.getName(), argument.getType(), ids);
	}

	private static boolean isId(GraphQLArgument argument) {
		return GraphQLTypeUtil.unwrapAll(argument.getType()).getName().equals("UUID");
	}

	private static String value(String field, String name, GraphQLType type, Ids ids) {
		return switch (type) {
			case GraphQLNonNull required -> value(field, name, required.getWrappedType(), ids);
			case GraphQLList list -> "[" + value(field, name, list.getWrappedType(), ids) + "]";
			case GraphQLEnumType values -> values.getValues().getFirst().getName();
			case GraphQLInputObjectType input -> input.getFields()
				.stream()
				.filter((each) -> each.getType() instanceof GraphQLNonNull || each.getName().equals("active")
						|| (field + "." + each.getName()).equals(ids.place())
						|| INVALID.contains(field + "." + each.getName())
						|| (field + "." + each.getName() + " " + ids.place()).equals(CONTENT))
				.map((each) -> each.getName() + ": " + value(field, each.getName(), each.getType(), ids))
				.collect(Collectors.joining(", ", "{ ", " }"));
			case GraphQLScalarType _ when INVALID.contains(field + "." + name) -> "\"{{\"";
			case GraphQLScalarType scalar -> scalar(scalar, ids.find(kind(field, name), field + "." + name), name, ids);
			default -> throw new IllegalStateException(((GraphQLNamedType) type).getName());
		};
	}

	private static String scalar(GraphQLScalarType type, UUID id, String name, Ids ids) {
		return switch (type.getName()) {
			case "UUID" -> "\"" + id + "\"";
			case "DateTime" -> "\"2026-12-01T00:00:00Z\"";
			case "Int", "Long" -> "1";
			case "Boolean" -> "true";
			default -> switch (name) {
				case "email", "address", "to" -> "\"a@b.test\"";
				case "search" -> "\"b.test\"";
				case "from" -> "\"a@" + ids.find("domain", "") + ".test\"";
				case "recipient" -> "\"a@" + ids.find("domain", name) + ".test\"";
				case "url" -> "\"https://example.com/\"";
				case "events" -> "\"email.sent\"";
				default -> "\"xx\"";
			};
		};
	}

	/** The kind of object that an argument takes the id of. */
	static String kind(String field, String argument) {
		if (argument.equals("ids")) {
			return field.equals("orderInboundRoutes") ? "inboundRoute" : "contact";
		}
		if (argument.equals("targetBookId")) {
			return "contactBook";
		}
		if (!argument.equals("id")) {
			return argument.equals("endpointId") ? "webhookEndpoint" : argument.replaceAll("Id$", "");
		}
		return switch (field) {
			case "emailContent", "preview" -> "email";
			case "verifyTrackingDomain", "deleteTrackingDomain" -> "trackingDomain";
			case "verifyDomain", "rotateDkim", "startDomainWarmup", "stopDomainWarmup" -> "domain";
			case "rotateApiKey", "revokeApiKey" -> "apiKey";
			case "sendTemplateTest", "saveTemplateDraft", "discardTemplateDraft" -> "template";
			case "sendCampaignTest", "campaignPreview" -> "campaign";
			case "repeatContactConfirmation", "contactHistory" -> "contact";
			case "inboundEmail", "inboundDownload" -> "inboundEmail";
			case "rotateWebhookSecret" -> "webhookEndpoint";
			case "removeMember" -> "member";
			case "withdrawInvitation" -> "invitation";
			case "endSession" -> "session";
			default -> {
				String object = field.replaceAll("^[a-z]+(?=[A-Z])", "");
				yield List
					.of("domain", "email", "apiKey", "template", "image", "contactBook", "contact", "campaign",
							"suppression", "segment", "webhookEndpoint", "webhookCall", "inboundEmail", "inboundRoute",
							"forwardTarget")
					.stream()
					.filter((kind) -> kind.equalsIgnoreCase(object) || kind.equals(field))
					.findFirst()
					.orElse(object);
			}
		};
	}

	/**
	 * Ids for a document.
	 *
	 * @param objects ids by their kind; ids of no object for other kinds
	 * @param place the argument or field of an input that has another id, as field.name;
	 * it is sent although it is optional
	 * @param other that id
	 */
	record Ids(Map<String, UUID> objects, String place, UUID other) {

		static final Ids UNKNOWN = of(Map.of());

		static Ids of(Map<String, UUID> objects) {
			return new Ids(objects, "", UUID.randomUUID());
		}

		UUID find(String kind, String at) {
			return at.equals(this.place) ? this.other : this.objects.getOrDefault(kind, UUID.randomUUID());
		}

	}

}
