package dev.mailroom.admin.graphql;

import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Collectors;

import dev.mailroom.EmailAddress;
import dev.mailroom.Given;
import dev.mailroom.Scope;
import dev.mailroom.account.AccountNotice;
import dev.mailroom.account.AuthenticatorApp;
import dev.mailroom.account.Invitations;
import dev.mailroom.account.PasswordReset;
import dev.mailroom.account.Right;
import dev.mailroom.admin.GraphQl;
import dev.mailroom.admin.Person;
import dev.mailroom.admin.WithAdmin;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.ApplicationContext;
import org.springframework.graphql.execution.GraphQlSource;

import static dev.mailroom.Await.await;
import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * The audit log: every mutation of operators, and those of tenants on keys, domains,
 * webhooks, members and sign-in, write a row in the transaction of their change. The
 * lists are compared with the schema, so that a new mutation must be added to one.
 */
@WithAdmin
class AuditTest {

	/** The act that each mutation records. */
	private static final Map<String, String> ACTS = Map.ofEntries(entry("createDomain", "domain.created"),
			entry("updateDomain", "domain.changed"), entry("rotateDkim", "domain.dkim_rotated"),
			entry("deleteDomain", "domain.deleted"), entry("startDomainWarmup", "domain.warmup_started"),
			entry("stopDomainWarmup", "domain.warmup_stopped"),
			entry("createTrackingDomain", "tracking_domain.created"),
			entry("deleteTrackingDomain", "tracking_domain.deleted"), entry("createApiKey", "api_key.created"),
			entry("createForwardTarget", "forward_target.created"),
			entry("resendForwardTarget", "forward_target.asked"),
			entry("deleteForwardTarget", "forward_target.deleted"), entry("chooseHostedPolicy", "hosted_policy.chosen"),
			entry("removeHostedPolicy", "hosted_policy.removed"), entry("createInboundRoute", "inbound_route.created"),
			entry("updateInboundRoute", "inbound_route.changed"), entry("orderInboundRoutes", "inbound_route.ordered"),
			entry("deleteInboundRoute", "inbound_route.deleted"), entry("updateApiKey", "api_key.changed"),
			entry("rotateApiKey", "api_key.created"), entry("revokeApiKey", "api_key.revoked"),
			entry("createWebhookEndpoint", "webhook.created"), entry("updateWebhookEndpoint", "webhook.changed"),
			entry("rotateWebhookSecret", "webhook.secret_rotated"), entry("deleteWebhookEndpoint", "webhook.deleted"),
			entry("updateBrand", "brand.changed"), entry("setTimeZone", "account.time_zone_changed"),
			entry("updateAccount", "account.renamed"), entry("endSession", "account.session_ended"),
			entry("confirmSecondFactor", "account.second_factor_added"),
			entry("removeSecondFactor", "account.second_factor_removed"),
			entry("resetPassword", "account.password_changed"), entry("inviteMember", "member.invited"),
			entry("withdrawInvitation", "member.invitation_withdrawn"), entry("acceptInvitation", "member.joined"),
			entry("changeMemberRole", "member.changed"), entry("removeMember", "member.removed"),
			entry("chooseNotices", "member.notices_chosen"), entry("operatorWatchAccount", "account.watched"),
			entry("operatorEndWatch", "account.watch_ended"), entry("operatorSuspendAccount", "account.suspended"),
			entry("operatorResumeAccount", "account.resumed"), entry("operatorSetAccountPlan", "account.plan_changed"),
			entry("operatorSetAccountLimits", "account.limits_changed"),
			entry("operatorChooseAccountTransport", "account.transport_chosen"),
			entry("operatorAddAccountNote", "account.note_added"), entry("operatorSavePlan", "plan.saved"),
			entry("operatorCheckAddress", "address.checked"), entry("operatorSaveProfile", "profile.saved"),
			entry("operatorResetProfile", "profile.reset"), entry("operatorPauseSite", "site.paused"),
			entry("operatorForgetSite", "site.forgotten"), entry("operatorSaveSendingAddress", "source.saved"),
			entry("operatorRemoveSendingAddress", "source.removed"), entry("operatorSavePool", "pool.saved"),
			entry("operatorRemovePool", "pool.removed"), entry("operatorChoosePool", "pool.chosen"),
			entry("operatorStartSourceWarmup", "source.warmup_started"),
			entry("operatorStopSourceWarmup", "source.warmup_stopped"),
			entry("operatorHoldDestination", "destination.held"),
			entry("operatorReleaseDestination", "destination.released"), entry("operatorPauseQueue", "queue.paused"),
			entry("operatorResumeQueue", "queue.resumed"), entry("operatorRequeueDeadLetter", "dead_letter.requeued"),
			entry("operatorRequeueDeadLetters", "dead_letter.requeued"),
			entry("operatorDismissDeadLetter", "dead_letter.dismissed"),
			entry("deleteAccount", "account.deletion_asked"),
			entry("cancelAccountDeletion", "account.deletion_cancelled"),
			entry("operatorDeleteAccount", "account.deletion_asked"),
			entry("operatorCancelAccountDeletion", "account.deletion_cancelled"));

	/**
	 * Mutations on these that change no setting, or only a step of a sign-in. The key of
	 * a program is recorded when it is created, which is when the program fetches it.
	 */
	private static final Set<String> WITHOUT_CHANGE = Set.of("verifyDomain", "verifyTrackingDomain",
			"testWebhookEndpoint", "redeliverWebhookCall", "recoverWebhookCalls", "beginSecondFactor",
			"approveDeviceSignIn", "denyDeviceSignIn");

	private static final Set<Right> RECORDED = Set.of(Right.DOMAINS, Right.API_KEYS, Right.WEBHOOKS, Right.BRAND,
			Right.SETTINGS, Right.MEMBERS, Right.OWN_SIGN_IN, Right.ACCOUNT);

	@LocalServerPort
	int port;

	@Autowired
	ApplicationContext context;

	@Autowired
	GraphQlSource source;

	private final Set<String> tried = new TreeSet<>();

	private Person owner;

	private GraphQl anybody;

	private GraphQl tenant;

	private GraphQl operator;

	@BeforeEach
	void people() {
		this.owner = Person.in(this.context);
		this.anybody = GraphQl.at(this.port);
		this.tenant = this.anybody.as(this.owner);
		this.operator = this.anybody.as(Person.operator(this.context));
		Given.run("""
				create function refuse_audit() returns trigger language plpgsql as
				$$ begin raise exception 'the audit log refuses all rows'; end $$;
				create trigger refuse_audit before insert on audit for each row execute function refuse_audit();
				alter table audit disable trigger refuse_audit
				""");
	}

	@AfterEach
	void permit() {
		Given.run("drop trigger refuse_audit on audit; drop function refuse_audit()");
	}

	@Test
	void everyMutationThatMustBeRecordedIsListed() {
		Set<String> mutations = this.source.schema()
			.getMutationType()
			.getFieldDefinitions()
			.stream()
			.map((field) -> field.getName())
			.collect(Collectors.toSet());
		assertThat(mutations).containsAll(ACTS.keySet()).containsAll(WITHOUT_CHANGE);
		assertThat(mutations).filteredOn((name) -> !OpenFields.MUTATIONS.contains(name))
			.filteredOn((name) -> RECORDED.contains(FieldRights.of(name)))
			.filteredOn((name) -> !WITHOUT_CHANGE.contains(name))
			.allSatisfy((name) -> assertThat(ACTS).containsKey(name));
	}

	@Test
	void everyChangeWritesItsRowInItsOwnTransaction() {
		domains();
		webhooks();
		members();
		accounts();
		platform();
		signIn();
		assertThat(this.tried).isEqualTo(new TreeSet<>(ACTS.keySet()));
	}

	@Test
	void anAccountReadsItsPartWithoutTheNamesAndNotesOfOperators() {
		String account = "account: \"" + this.owner.account() + "\"";
		this.tenant.change("setTimeZone", "(input: { timeZone: \"Asia/Tokyo\" })", "account { id }");
		this.operator.change("operatorAddAccountNote", "(input: { " + account + ", note: \"called\" })",
				"account { id }");
		this.operator.change("operatorSuspendAccount", "(input: { " + account + ", reason: \"ticket\" })",
				"account { id }");
		JsonNode log = this.tenant
			.data("{ viewer { auditLog { nodes { act actor actorId actorKind reason ip device } } } }")
			.path("viewer")
			.path("auditLog")
			.path("nodes");
		assertThat(log.valueStream().map((entry) -> entry.path("act").asString()).toList())
			.containsExactly("account.suspended", "account.time_zone_changed");
		assertThat(log.get(0).path("reason").asString()).isEqualTo("ticket");
		assertThat(log.get(0).path("actor").isNull()).isTrue();
		assertThat(log.get(0).path("actorId").isNull()).isTrue();
		assertThat(log.get(0).path("ip").isNull()).isTrue();
		assertThat(log.get(0).path("device").isNull()).isTrue();
		assertThat(log.get(1).path("actor").asString()).isEqualTo(this.owner.email());
		assertThat(log.get(1).path("ip").asString()).isEqualTo("127.0.0.1");
		assertThat(log.get(1).path("device").asString()).isEqualTo("ReactorNetty");
	}

	private void domains() {
		String id = id(change(this.tenant, "createDomain", "(input: { name: \"" + UUID.randomUUID() + ".example\" })",
				"domain { id }"));
		change(this.tenant, "updateDomain", "(input: { id: \"" + id + "\", openTracking: true })", "domain { id }");
		change(this.tenant, "rotateDkim", "(id: \"" + id + "\")", "domain { id }");
		change(this.tenant, "startDomainWarmup", "(id: \"" + id + "\")", "domain { id }");
		change(this.tenant, "stopDomainWarmup", "(id: \"" + id + "\")", "domain { id }");
		UUID sending = Given.domain(this.owner.account());
		String name = "links." + Given.rows("select name from domain where id = '%s'", sending).getFirst();
		String tracking = id(change(this.tenant, "createTrackingDomain",
				"(input: { domainId: \"" + sending + "\", name: \"" + name + "\" })", "trackingDomain { id }"));
		change(this.tenant, "deleteTrackingDomain", "(id: \"" + tracking + "\")", "deletedId");
		String target = id(change(this.tenant, "createForwardTarget",
				"(input: { address: \"" + id + "@target.test\" })", "forwardTarget { id }"));
		change(this.tenant, "resendForwardTarget", "(id: \"" + target + "\")", "forwardTarget { id }");
		change(this.tenant, "deleteForwardTarget", "(id: \"" + target + "\")", "deletedId");
		Given.run("insert into hosted_policy values ('%s', '%s', 'testing', now())", sending, this.owner.account());
		change(this.tenant, "chooseHostedPolicy", "(input: { domainId: \"" + sending + "\", mode: \"testing\" })",
				"hostedPolicy { mode }");
		change(this.tenant, "removeHostedPolicy", "(domainId: \"" + sending + "\")", "deletedId");
		String route = id(change(this.tenant, "createInboundRoute",
				"(input: { domainId: \"" + id + "\", pattern: \"*\" })", "inboundRoute { id }"));
		change(this.tenant, "updateInboundRoute", "(input: { id: \"" + route + "\", action: DROP })",
				"inboundRoute { id }");
		change(this.tenant, "orderInboundRoutes", "(domainId: \"" + id + "\", ids: [\"" + route + "\"])",
				"inboundRoutes { id }");
		change(this.tenant, "deleteInboundRoute", "(id: \"" + route + "\")", "deletedId");
		change(this.tenant, "deleteDomain", "(id: \"" + id + "\")", "deletedId");
		String key = id(change(this.tenant, "createApiKey",
				"(input: { domainId: \"" + Given.domain(this.owner.account()) + "\", name: \"k\" })", "apiKey { id }"));
		change(this.tenant, "updateApiKey", "(input: { id: \"" + key + "\", name: \"l\" })", "apiKey { id }");
		change(this.tenant, "rotateApiKey", "(id: \"" + key + "\")", "apiKey { id }");
		change(this.tenant, "revokeApiKey", "(id: \"" + key + "\")", "deletedId");
	}

	private void webhooks() {
		String id = id(change(this.tenant, "createWebhookEndpoint",
				"(input: { url: \"https://example.com/\", events: [\"email.sent\"] })", "webhookEndpoint { id }"));
		change(this.tenant, "updateWebhookEndpoint", "(input: { id: \"" + id + "\", active: false })",
				"webhookEndpoint { id }");
		change(this.tenant, "rotateWebhookSecret", "(id: \"" + id + "\")", "webhookEndpoint { id }");
		change(this.tenant, "deleteWebhookEndpoint", "(id: \"" + id + "\")", "deletedId");
	}

	private void members() {
		String invited = id(change(this.tenant, "inviteMember",
				"(input: { email: \"" + UUID.randomUUID() + "@person.test\", role: VIEWER })", "invitation { id }"));
		change(this.tenant, "withdrawInvitation", "(id: \"" + invited + "\")", "deletedId");
		Invitations.Sent sent = await(this.context.getBean(Invitations.class)
			.invite(this.owner.scope(), UUID.randomUUID() + "@person.test", "developer"));
		String token = ((AccountNotice.JoinTeam) sent.notice()).token().text();
		String member = id(change(this.anybody, "acceptInvitation",
				"(input: { token: \"" + token + "\", password: \"" + Person.PASSWORD + "\" })", "member { id }"));
		change(this.tenant, "changeMemberRole", "(input: { memberId: \"" + member + "\", role: OWNER })",
				"member { id }");
		change(this.tenant, "removeMember", "(id: \"" + member + "\")", "deletedId");
		change(this.tenant, "updateBrand", "(input: { name: \"b\", footer: \"\", languages: [EN] })", "brand { name }");
		change(this.tenant, "chooseNotices", "(input: { notices: [CAMPAIGN_SENT] })", "notices");
		change(this.tenant, "setTimeZone", "(input: { timeZone: \"Asia/Tokyo\" })", "account { timeZone }");
	}

	private void accounts() {
		String account = "account: \"" + this.owner.account() + "\"";
		String withReason = "(input: { " + account + ", reason: \"ticket\" })";
		change(this.operator, "operatorWatchAccount", withReason, "watch { token }");
		change(this.operator, "operatorEndWatch", "(" + account + ")", "done");
		change(this.operator, "operatorSuspendAccount", withReason, "account { id }");
		change(this.operator, "operatorResumeAccount", withReason, "account { id }");
		change(this.operator, "operatorSetAccountPlan", "(input: { " + account + ", plan: \"pro\" })",
				"account { id }");
		change(this.operator, "operatorSetAccountLimits", "(input: { " + account + ", sendRate: 5, reason: \"x\" })",
				"account { id }");
		change(this.operator, "operatorChooseAccountTransport", "(input: { " + account + ", transport: MX })",
				"account { id }");
		change(this.operator, "operatorAddAccountNote", "(input: { " + account + ", note: \"called\" })",
				"account { id }");
		change(this.operator, "operatorDeleteAccount", withReason, "account { id }");
		change(this.operator, "operatorCancelAccountDeletion", withReason, "account { id }");
		String name = Given
			.rows("select coalesce(nullif(name, ''), email) from account where id = '%s'", this.owner.account())
			.getFirst();
		change(this.tenant, "deleteAccount",
				"(input: { name: \"" + name + "\", password: \"" + Person.PASSWORD + "\" })", "account { id }");
		change(this.tenant, "cancelAccountDeletion", "", "account { id }");
	}

	private void platform() {
		change(this.operator, "operatorSavePlan", "(input: { name: \"p" + UUID.randomUUID() + "\" })", "plan { name }");
		String destination = "d" + UUID.randomUUID() + ".test";
		change(this.operator, "operatorHoldDestination",
				"(input: { destination: \"" + destination + "\", reason: \"x\" })", "held { destination }");
		change(this.operator, "operatorReleaseDestination", "(destination: \"" + destination + "\")", "released");
		Given.run("insert into address_check values ('192.0.2.7', 'ptr', '', 'ok', 'x', false, now(), now()) "
				+ "on conflict do nothing");
		change(this.operator, "operatorCheckAddress", "(address: \"192.0.2.7\")", "checked");
		Given.run("delete from address_check");
		change(this.operator, "operatorSaveProfile", "(input: {name: \"gmail\", sessions: 3})", "profile { name }");
		change(this.operator, "operatorResetProfile", "(name: \"gmail\")", "reset");
		change(this.operator, "operatorPauseSite", "(input: {site: \"mx.audit.test\", reason: \"x\", until: \"%s\"})"
			.formatted(Instant.now().plusSeconds(600)), "site");
		change(this.operator, "operatorForgetSite", "(site: \"mx.audit.test\")", "site");
		change(this.operator, "operatorSaveSendingAddress",
				"(input: {name: \"audited\", v4: \"127.0.1.9\", helo: \"a.test\"})", "address { name }");
		change(this.operator, "operatorStartSourceWarmup", "(input: {source: \"audited\"})", "source");
		change(this.operator, "operatorStopSourceWarmup", "(source: \"audited\")", "source");
		change(this.operator, "operatorSavePool", "(input: {name: \"audited\", members: [{source: \"audited\"}]})",
				"pool { name }");
		change(this.operator, "operatorChoosePool",
				"(input: {kind: ACCOUNT, key: \"%s\", pool: \"audited\"})".formatted(this.owner.account()), "chosen");
		change(this.operator, "operatorChoosePool",
				"(input: {kind: ACCOUNT, key: \"%s\"})".formatted(this.owner.account()), "userErrors { name }");
		change(this.operator, "operatorRemovePool", "(name: \"audited\")", "removed");
		change(this.operator, "operatorRemoveSendingAddress", "(name: \"audited\")", "removed");
		change(this.operator, "operatorPauseQueue", "(reason: \"x\")", "paused");
		change(this.operator, "operatorResumeQueue", "", "paused");
		UUID mail = Given.mail(Scope.of(this.owner.account(), Given.domain(this.owner.account()), this.owner.account()),
				"a@b.test");
		Given.run("delete from queue where email_id = '%1$s'; "
				+ "update delivery set status = 'failed', settled_at = now() where email_id = '%1$s'; "
				+ "insert into dead_letter (id, account_id, what, why, email_id, delivery_id, died_at) "
				+ "select id, account_id, 'mail', 'broken', email_id, id, now() from delivery where email_id = '%1$s'",
				mail);
		String letter = Given.rows("select id from dead_letter where email_id = '%s'", mail).getFirst();
		change(this.operator, "operatorRequeueDeadLetter", "(id: \"" + letter + "\")", "requeuedId");
		Given.run("delete from queue where email_id = '%1$s'; update dead_letter set requeued_at = null, why = '%1$s' "
				+ "where email_id = '%1$s'; update delivery set status = 'failed', settled_at = now() "
				+ "where email_id = '%1$s'", mail);
		change(this.operator, "operatorRequeueDeadLetters", "(input: { why: \"" + mail + "\", reason: \"x\" })",
				"requeued { count }");
		Given.run("delete from queue where email_id = '%s'", mail);
		change(this.operator, "operatorDismissDeadLetter", "(input: { id: \"" + letter + "\", reason: \"x\" })",
				"dismissedId");
	}

	private void signIn() {
		change(this.tenant, "updateAccount", "(input: { name: \"Bo\" })", "account { id }");
		String secret = this.tenant.change("beginSecondFactor", "", "secret").path("secret").asString();
		change(this.tenant, "confirmSecondFactor",
				"(input: { code: \"" + AuthenticatorApp.of(secret).code(Instant.now()) + "\" })", "recoveryCodes");
		change(this.tenant, "removeSecondFactor", "(input: { password: \"" + Person.PASSWORD + "\" })", "done");
		this.anybody.change("signIn",
				"(input: { email: \"" + this.owner.email() + "\", password: \"" + Person.PASSWORD + "\" })",
				"accessToken");
		String newest = Given
			.rows("select id from session where account_id = '%s' order by created_at desc", this.owner.account())
			.getFirst();
		change(this.tenant, "endSession", "(id: \"" + newest + "\")", "deletedId");
		AccountNotice notice = await(
				this.context.getBean(PasswordReset.class).forgot(EmailAddress.parse(this.owner.email()).orElseThrow()));
		change(this.anybody, "resetPassword", "(input: { token: \""
				+ ((AccountNotice.ResetPassword) notice).token().text() + "\", password: \"another battery staple\" })",
				"done");
	}

	/**
	 * Makes a change twice: first while the audit log refuses its row, so that nothing is
	 * changed, and then as usual.
	 */
	private JsonNode change(GraphQl client, String mutation, String arguments, String fields) {
		this.tried.add(mutation);
		Given.run("alter table audit enable trigger refuse_audit");
		String document = "mutation { " + mutation + arguments + " { " + fields + " userErrors { name } } }";
		assertThat(client.send(document, Map.of()).path("errors").path(0).path("extensions").path("statusCode").asInt())
			.as(mutation)
			.isGreaterThanOrEqualTo(500);
		Given.run("alter table audit disable trigger refuse_audit");
		Set<String> before = new HashSet<>(Given.rows("select id from audit"));
		JsonNode payload = client.change(mutation, arguments, fields);
		List<String> written = Given.rows("select id || ' ' || act from audit")
			.stream()
			.filter((row) -> !before.contains(row.substring(0, row.indexOf(' '))))
			.map((row) -> row.substring(row.indexOf(' ') + 1))
			.toList();
		assertThat(written).as(mutation).containsExactly(ACTS.get(mutation));
		return payload;
	}

	/** The id of the object in a payload. */
	private static String id(JsonNode payload) {
		return payload.valueStream().filter((field) -> field.has("id")).findFirst().orElseThrow().path("id").asString();
	}

}
