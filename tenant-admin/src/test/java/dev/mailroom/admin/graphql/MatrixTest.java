package dev.mailroom.admin.graphql;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import dev.mailroom.Given;
import dev.mailroom.admin.GraphQl;
import dev.mailroom.admin.Person;
import dev.mailroom.admin.WithAdmin;
import dev.mailroom.admin.graphql.FieldDocuments.Ids;
import graphql.schema.GraphQLArgument;
import graphql.schema.GraphQLFieldDefinition;
import graphql.schema.GraphQLInputObjectType;
import graphql.schema.GraphQLObjectType;
import graphql.schema.GraphQLScalarType;
import graphql.schema.GraphQLType;
import graphql.schema.GraphQLTypeUtil;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.ApplicationContext;
import org.springframework.graphql.execution.GraphQlSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Every field that reads or changes data, with each kind of credential. The documents are
 * generated from the schema, so that a new field is included.
 */
@WithAdmin
class MatrixTest {

	private static final Logger log = LoggerFactory.getLogger(MatrixTest.class);

	private static final Set<String> FOR_OPERATORS = Set.of("operatorSuspendAccount", "operatorResumeAccount",
			"operatorSetAccountPlan", "operatorChooseAccountTransport", "operatorAddAccountNote", "operatorSavePlan",
			"operatorRequeueDeadLetter", "operatorRequeueDeadLetters", "operatorDismissDeadLetter",
			"operatorHoldDestination", "operatorReleaseDestination", "operatorPauseQueue", "operatorResumeQueue",
			"operatorSetAccountLimits", "operatorWatchAccount", "operatorEndWatch", "operatorCheckAddress",
			"operatorSaveProfile", "operatorResetProfile", "operatorPauseSite", "operatorForgetSite",
			"operatorSaveSendingAddress", "operatorRemoveSendingAddress", "operatorSavePool", "operatorRemovePool",
			"operatorChoosePool", "operatorStartSourceWarmup", "operatorStopSourceWarmup", "operatorDeleteAccount",
			"operatorCancelAccountDeletion");

	/** Mutations for which an admin's role does not suffice. */
	private static final Set<String> FOR_OWNERS = Set.of("deleteAccount", "cancelAccountDeletion");

	/** Mutations of the caller's own sign-in, which every role permits. */
	private static final Set<String> OWN = Set.of("updateAccount", "endSession", "beginSecondFactor",
			"confirmSecondFactor", "removeSecondFactor", "chooseNotices");

	/** Mutations for which a developer's role does not suffice. */
	private static final Pattern FOR_ADMINS = Pattern
		.compile("Brand|TimeZone|Campaign|Contact|Segment|Suppression|Member|Invitation");

	/**
	 * Places of ids that select nothing of other accounts without an error of the
	 * request.
	 */
	private static final Set<String> FOREIGN_FILTERS = Set.of("emails.domainId", "emails.campaignId",
			"inboundEmails.domainId", "recentFigures.domainId", "reputation.domainId", "dailyFigures.domainId",
			"deleteContacts.ids", "orderInboundRoutes.ids", "changeContacts.ids", "changeContacts.targetBookId",
			"sendEmails.templateId", "campaignPreview.contactId", "auditLog.memberId");

	/** Fields that filter by an id, or are refused for another reason first. */
	private static final Set<String> FILTERS = Set.of("recentFigures", "emails", "inboundEmails", "reputation",
			"dailyFigures", "createCampaign", "auditLog", "inboundRouteMatch");

	@LocalServerPort
	int port;

	@Autowired
	ApplicationContext context;

	@Autowired
	GraphQlSource source;

	/** Objects of the victim by their kind. */
	private final Map<String, UUID> objects = new HashMap<>();

	private Person victim;

	private GraphQl anybody;

	private GraphQl stranger;

	private GraphQl operator;

	@BeforeEach
	void people() {
		this.victim = Person.in(this.context);
		this.anybody = GraphQl.at(this.port);
		this.stranger = this.anybody.as(Person.in(this.context));
		this.operator = this.anybody.as(Person.operator(this.context));
	}

	@Test
	void withoutATokenEveryFieldIsUnauthorized() {
		Map<String, String> documents = documents(Ids.UNKNOWN);
		OpenFields.MUTATIONS.forEach((open) -> assertThat(documents).doesNotContainKey("Mutation." + open));
		documents.values().forEach(this.anybody::isUnauthorized);
		log.info("Fields with each kind of credential: {}", documents.size());
		assertThat(documents).hasSizeGreaterThan(80);
	}

	@Test
	void anApiKeyIsForbiddenForEveryField() {
		UUID domain = Given.domain(this.victim.account());
		String key = this.anybody.as(this.victim)
			.change("createApiKey", "(input: { domainId: \"" + domain + "\", name: \"k\" })", "key")
			.path("key")
			.asString();
		documents(Ids.UNKNOWN).values()
			.forEach((document) -> this.anybody.as(key)
				.post(GraphQl.body(document, Map.of()))
				.expectStatus()
				.isForbidden());
	}

	@Test
	void fieldsOfOperatorsAreForbiddenForATenant() {
		Map<String, String> results = results(documents(Ids.UNKNOWN), this.stranger);
		results.forEach((field, result) -> {
			String name = field.substring(field.indexOf('.') + 1);
			boolean operators = field.startsWith("Operator.") || FOR_OPERATORS.contains(name);
			assertThat(result.equals("forbidden")).as(field + " " + result).isEqualTo(operators);
			assertThat(result).as(field).isNotEqualTo("internal_error").isNotEqualTo("unauthorized");
		});
	}

	@Test
	void anUnverifiedPersonIsRefusedOnlyWhatConcernsOthers() {
		assertThat(refused("email_verified_at = null", "email_not_verified")).containsExactlyInAnyOrder(
				"Mutation.createForwardTarget", "Mutation.createWebhookEndpoint", "Mutation.inviteMember",
				"Mutation.resendForwardTarget", "Mutation.sendEmail", "Mutation.sendEmails");
	}

	@Test
	void aPersonOfAPausedAccountIsRefusedNothingBesideSending() {
		assertThat(refused("paused_reason = 'complaints', paused_at = now()", "account_paused")).isSubsetOf(
				"Mutation.createForwardTarget", "Mutation.resendForwardTarget", "Mutation.sendEmail",
				"Mutation.sendEmails", "Mutation.sendTemplateTest", "Mutation.sendCampaignTest");
	}

	@Test
	void aPersonWithoutASessionAMembershipOrAnAccountIsUnauthorizedForEveryField() {
		for (String change : List.of("delete from session where account_id =", "delete from member where person_id =",
				"delete from account where id =")) {
			Person person = Person.in(this.context);
			Given.run("%s '%s'", change, person.account());
			documents(Ids.UNKNOWN).values().forEach(this.anybody.as(person)::isUnauthorized);
		}
	}

	/** Fields that fail with an error for a person whose account was changed. */
	private Set<String> refused(String change, String error) {
		Person person = Person.in(this.context);
		Given.run("update account set %s where id = '%s'", change, person.account());
		Map<String, String> results = results(documents(Ids.UNKNOWN), this.anybody.as(person));
		results.forEach((field, result) -> assertThat(result).as(field).isNotIn("internal_error", "unauthorized"));
		return results.entrySet()
			.stream()
			.filter((field) -> field.getValue().equals(error))
			.map(Map.Entry::getKey)
			.collect(Collectors.toSet());
	}

	@Test
	void aMemberMayReadEverythingAndChangeWhatTheRolePermits() {
		Person member = Person.in(this.context);
		Given.run("update member set account_id = '%s' where person_id = '%s'", this.victim.account(),
				member.account());
		GraphQl client = this.anybody.as(member);
		for (String role : List.of("viewer", "developer", "admin")) {
			Given.run("update member set role = '%s' where person_id = '%s'", role, member.account());
			Set<String> rights = rights(client);
			results(documents(Ids.UNKNOWN), client).forEach((field, result) -> {
				String name = field.substring(field.indexOf('.') + 1);
				boolean permitted = (field.startsWith("Viewer.") && !name.equals("auditLog")) || OWN.contains(name)
						|| (!FOR_OWNERS.contains(name) && (role.equals("admin") || (role.equals("developer")
								&& !name.equals("auditLog") && !FOR_ADMINS.matcher(name).find())));
				if (!field.startsWith("Operator.") && !FOR_OPERATORS.contains(name) && !name.equals("endSession")) {
					assertThat(result.equals("forbidden")).as(role + " " + field + " " + result)
						.isNotEqualTo(permitted);
					assertThat(field.equals("Viewer.auditLog") ? permitted
							: field.startsWith("Viewer.") || rights.contains(FieldRights.of(name).name()))
						.as(role + " has the right of " + name)
						.isEqualTo(permitted);
				}
			});
		}
	}

	@Test
	void anOperatorMayReadEveryField() {
		Map<String, String> results = results(documents(Ids.UNKNOWN), this.operator);
		results.forEach((field, result) -> assertThat(result).as(field)
			.isNotEqualTo("forbidden")
			.isNotEqualTo("unauthorized")
			.isNotEqualTo("internal_error"));
	}

	@Test
	void anOperatorWhoWatchesAnAccountChangesNothingOfIt() {
		createObjects();
		String token = this.operator
			.change("operatorWatchAccount", "(input: { account: \"" + this.victim.account() + "\", reason: \"x\" })",
					"watch { token }")
			.path("watch")
			.path("token")
			.asString();
		GraphQl watching = this.operator.watching(token);
		assertThat(watching.data("{ viewer { account { id } } }").path("viewer").path("account").path("id").asString())
			.isEqualTo(this.victim.account().toString());
		assertThat(rights(watching)).isEmpty();
		assertThat(rights(this.operator)).isNotEmpty();
		List<String> refused = new ArrayList<>();
		documents(Ids.of(this.objects)).forEach((field, document) -> {
			String name = field.substring(field.indexOf('.') + 1);
			if (field.startsWith("Mutation.") && !FOR_OPERATORS.contains(name)) {
				assertThat(result(watching.send(document, Map.of()))).as(field).isEqualTo("forbidden");
				refused.add(field);
			}
		});
		assertThat(refused).hasSizeGreaterThan(30);
	}

	@Test
	void foreignObjectsLookLikeMissingOnes() {
		createObjects();
		Map<String, String> foreign = documents(Ids.of(this.objects));
		Map<String, String> missing = documents(Ids.UNKNOWN);
		List<String> compared = new ArrayList<>();
		foreign.forEach((field, document) -> {
			String name = field.substring(field.indexOf('.') + 1);
			if (!document.equals(missing.get(field)) && !FOR_OPERATORS.contains(name)
					&& !field.startsWith("Operator.")) {
				assertThat(withoutIds(this.stranger.send(document, Map.of()))).as(field)
					.isEqualTo(withoutIds(this.stranger.send(missing.get(field), Map.of())));
				compared.add(field);
				if (!FILTERS.contains(name)) {
					assertThat(this.stranger.send(document, Map.of()).toString()).as(field).contains("not_found");
				}
			}
		});
		assertThat(compared).hasSizeGreaterThan(35);
		assertNothingWasDeleted();
	}

	@Test
	void eachForeignIdBesideOwnOnesLooksLikeAMissingOne() {
		createObjects();
		Person person = Person.in(this.context);
		Map<String, UUID> own = objects(person);
		GraphQl client = this.anybody.as(person);
		List<String> accepted = new ArrayList<>();
		Set<String> places = places();
		for (String place : places) {
			String name = place.substring(0, place.indexOf('.'));
			UUID victims = this.objects.get(FieldDocuments.kind(name, place.substring(name.length() + 1)));
			assertThat(victims).as("an object for " + place).isNotNull();
			String foreign = withoutIds(client.send(document(name, new Ids(own, place, victims)), Map.of()));
			String missing = withoutIds(client.send(document(name, new Ids(own, place, UUID.randomUUID())), Map.of()));
			assertThat(foreign).as(place).isEqualTo(missing);
			if (!foreign.contains("not_found")) {
				accepted.add(place + " " + foreign);
			}
		}
		assertThat(places).hasSizeGreaterThan(50);
		assertThat(accepted).allMatch((place) -> FOREIGN_FILTERS.contains(place.substring(0, place.indexOf(' '))));
		assertNothingWasDeleted();
	}

	private void assertNothingWasDeleted() {
		for (String table : List.of("domain", "api_key", "email", "template", "image", "contact_book", "contact",
				"campaign", "suppression", "webhook_endpoint", "webhook_delivery", "inbound_email", "invitation",
				"session")) {
			assertThat(Given.rows("select count(*) from %s where account_id = '%s'", table, this.victim.account()))
				.as(table)
				.doesNotContain("0");
		}
		assertThat(Given.rows("select role from member where account_id = '%s' order by 1", this.victim.account()))
			.containsExactly("owner", "viewer");
	}

	/**
	 * Each argument and field of an input that takes an id of a tenant's object, as
	 * field.name.
	 */
	private Set<String> places() {
		Set<String> places = new TreeSet<>();
		for (String type : List.of("Viewer", "Mutation")) {
			for (GraphQLFieldDefinition field : object(type).getFieldDefinitions()) {
				if (!FOR_OPERATORS.contains(field.getName()) && !OpenFields.MUTATIONS.contains(field.getName())) {
					for (GraphQLArgument argument : field.getArguments()) {
						collect(places, field.getName(), argument.getName(), argument.getType());
					}
				}
			}
		}
		return places;
	}

	private static void collect(Set<String> places, String field, String name, GraphQLType type) {
		switch (GraphQLTypeUtil.unwrapAll(type)) {
			case GraphQLInputObjectType input ->
				input.getFields().forEach((each) -> collect(places, field, each.getName(), each.getType()));
			case GraphQLScalarType scalar when scalar.getName().equals("UUID") -> places.add(field + "." + name);
			default -> {
				// Takes no id.
			}
		}
	}

	private void createObjects() {
		this.objects.putAll(objects(this.victim));
	}

	private Map<String, UUID> objects(Person person) {
		return AccountObjects.of(person, Person.in(this.context), this.anybody.as(person));
	}

	/** The first error or user error of each field, or ok. */
	private static Map<String, String> results(Map<String, String> documents, GraphQl client) {
		return documents.entrySet()
			.stream()
			.collect(Collectors.toMap(Map.Entry::getKey,
					(document) -> result(client.send(document.getValue(), Map.of())), (a, _) -> a, TreeMap::new));
	}

	private static String result(JsonNode response) {
		String error = response.path("errors").path(0).path("extensions").path("name").asString("");
		if (!error.isEmpty()) {
			return error;
		}
		JsonNode payload = response.path("data").valueStream().findFirst().orElseThrow();
		return payload.path("userErrors").path(0).path("name").asString("ok");
	}

	/** The rights that the caller has. */
	private static Set<String> rights(GraphQl client) {
		return client.data("{ viewer { rights { right permitted } } }")
			.path("viewer")
			.path("rights")
			.valueStream()
			.filter((right) -> right.path("permitted").asBoolean())
			.map((right) -> right.path("right").asString())
			.collect(Collectors.toSet());
	}

	private static String withoutIds(JsonNode response) {
		return response.toString().replaceAll("[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", "ID");
	}

	/**
	 * A document for each field of the viewer, of the operator and of the mutations.
	 * @param ids the id of an object by its kind
	 */
	private Map<String, String> documents(Ids ids) {
		Map<String, String> documents = new TreeMap<>();
		for (String type : List.of("Viewer", "Operator", "Mutation")) {
			for (GraphQLFieldDefinition field : object(type).getFieldDefinitions()) {
				if (!OpenFields.MUTATIONS.contains(field.getName())) {
					documents.put(type + "." + field.getName(), document(type, field, ids));
				}
			}
		}
		return documents;
	}

	/** A document for a field of the viewer or of the mutations. */
	private String document(String name, Ids ids) {
		GraphQLFieldDefinition field = object("Viewer").getFieldDefinition(name);
		return (field != null) ? document("Viewer", field, ids)
				: document("Mutation", object("Mutation").getFieldDefinition(name), ids);
	}

	private static String document(String type, GraphQLFieldDefinition field, Ids ids) {
		return type.equals("Mutation")
				? "mutation { " + field.getName() + FieldDocuments.arguments(field, ids)
						+ " { userErrors { name message } " + payload(field) + " } }"
				: "{ " + type.toLowerCase(Locale.ROOT) + " { " + FieldDocuments.call(field, ids) + " } }";
	}

	/** The other fields of the payload of a mutation. */
	private static String payload(GraphQLFieldDefinition mutation) {
		return ((GraphQLObjectType) GraphQLTypeUtil.unwrapAll(mutation.getType())).getFieldDefinitions()
			.stream()
			.filter((field) -> !field.getName().equals("userErrors"))
			.map((field) -> FieldDocuments.call(field, Ids.UNKNOWN))
			.collect(Collectors.joining(" "));
	}

	private GraphQLObjectType object(String name) {
		return this.source.schema().getObjectType(name);
	}

}
