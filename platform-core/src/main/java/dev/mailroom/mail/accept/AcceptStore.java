package dev.mailroom.mail.accept;

import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.uuid.NoArgGenerator;
import dev.mailroom.AcrossAccounts;
import dev.mailroom.EmailAddress;
import dev.mailroom.database.Columns;
import dev.mailroom.database.Share;
import dev.mailroom.database.SqlStatement;
import dev.mailroom.mail.accept.SendPolicy.Lookup;
import dev.mailroom.mail.accept.SendPolicy.Sender;
import dev.mailroom.mail.accept.SendPolicy.SuppressionKey;
import dev.mailroom.mail.draft.MailContent;
import dev.mailroom.mail.queue.Lease;
import dev.mailroom.mail.queue.Queue;
import dev.mailroom.mail.queue.Transitions;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;

/** SQL of the accept feature: a group's emails are inserted by one statement. */
@Repository
@AcrossAccounts("mails of a group, each row with its own account; row-level security hides all other accounts")
class AcceptStore {

	private final DatabaseClient database;

	private final NoArgGenerator ids;

	private final JsonMapper json;

	AcceptStore(DatabaseClient database, NoArgGenerator ids, JsonMapper json) {
		this.database = database;
		this.ids = ids;
		this.json = json;
	}

	/** Reads the senders and the suppressed recipients of a group in one statement. */
	Lookup lookUp(JdbcClient jdbc, Collection<Sender> senders, Collection<SuppressionKey> recipients) {
		Columns<Sender> sending = Columns.of(senders);
		Columns<SuppressionKey> suppressed = Columns.of(recipients);
		Lookup lookup = new Lookup();
		SqlStatement.of(LOOK_UP)
			.bind("accounts", sending.uuids(Sender::accountId))
			.bind("domains", sending.uuids(Sender::domainId))
			.bind("names", sending.texts(Sender::name))
			.bind("owners", suppressed.uuids(SuppressionKey::accountId))
			.bind("addresses", suppressed.texts(SuppressionKey::address))
			.list(jdbc, lookup::add);
		return lookup;
	}

	/**
	 * Wakes the dispatcher. This commit writes no rows, and does not wait for the disk.
	 */
	Mono<Void> notifyDispatcher(Queue.Due due) {
		return SqlStatement.of("select set_config('synchronous_commit', 'off', true), pg_notify(:channel, :due)")
			.bind("channel", Queue.Due.CHANNEL)
			.bind("due", due.text())
			.on(this.database)
			.then()
			.contextWrite((context) -> context.put(Share.class, Share.NOTIFICATIONS));
	}

	/**
	 * Inserts mails with their deliveries.
	 * @return the deliveries that are due; empty if they are more than a few
	 */
	List<Lease> insert(JdbcClient jdbc, List<NewEmail> emails, Instant now) {
		if (emails.isEmpty()) {
			return List.of();
		}
		List<DeliveryRow> deliveries = insertEmails(jdbc, emails, now);
		insertAttachments(jdbc, emails.stream().flatMap(AttachmentRow::of).toList());
		List<Lease> due = deliveries.stream()
			.filter(DeliveryRow::isDue)
			.limit(Queue.Due.MAX + 1)
			.map(DeliveryRow::lease)
			.toList();
		return (due.size() <= Queue.Due.MAX) ? due : List.of();
	}

	private List<DeliveryRow> insertEmails(JdbcClient jdbc, List<NewEmail> emails, Instant now) {
		Columns<NewEmail> mails = Columns.of(emails);
		List<DeliveryRow> deliveries = emails.stream().flatMap((email) -> DeliveryRow.of(email, this.ids)).toList();
		Columns<DeliveryRow> rows = Columns.of(deliveries);
		SqlStatement.of(INSERT)
			.bind("now", now)
			.bind("ids", mails.uuids(NewEmail::id))
			.bind("accounts", mails.uuids(NewEmail::accountId))
			.bind("domains", mails.uuids(NewEmail::domainId))
			.bind("senders", mails.texts((email) -> email.mail().from().toString()))
			.bind("froms", mails.texts((email) -> email.mail().from().address().toString()))
			.bind("tos", mails.texts((email) -> array(email.mail().to())))
			.bind("ccs", mails.texts((email) -> array(email.mail().cc())))
			.bind("bccs", mails.texts((email) -> array(email.mail().bcc())))
			.bind("replies", mails.texts((email) -> array(email.mail().replyTo())))
			.bind("subjects", mails.texts((email) -> email.content().subject()))
			.bind("tags", mails.texts((email) -> this.json.writeValueAsString(email.content().tags())))
			.bind("statuses", mails.texts(NewEmail::status))
			.bind("events", mails.texts(NewEmail::lastEvent))
			.bind("scheduled", mails.texts((email) -> text(email.mail().sendAt())))
			.bind("opens", mails.texts((email) -> text(email.content().openTracking())))
			.bind("clicks", mails.texts((email) -> text(email.content().clickTracking())))
			.bind("traces", mails.texts((email) -> text(email.trace())))
			.bind("keys", mails.uuids((email) -> email.submitter().apiKeyId()))
			.bind("people", mails.uuids((email) -> email.submitter().personId()))
			.bind("link_hosts", mails.texts((email) -> email.sender().linkHost()))
			.bind("forwards", mails.texts((email) -> json(email.mail().forward())))
			.bind("htmls", mails.texts((email) -> email.content().html()))
			.bind("texts", mails.texts((email) -> email.content().text()))
			.bind("headers", mails.texts((email) -> this.json.writeValueAsString(email.content().headers())))
			.bind("files", mails.texts((email) -> this.json.writeValueAsString(AttachmentColumn.of(email.content()))))
			.bind("outsides",
					mails.texts((email) -> email.uploadedParts().isEmpty() ? null : array(email.uploadedParts())))
			.bind("deliveries", rows.uuids(DeliveryRow::id))
			.bind("mails", rows.uuids((row) -> row.email().id()))
			.bind("owners", rows.uuids((row) -> row.email().accountId()))
			.bind("positions", rows.integers(DeliveryRow::position))
			.bind("recipients", rows.texts(DeliveryRow::recipient))
			.bind("recipient_keys", rows.texts((row) -> EmailAddress.keyBeyondAscii(row.recipient())))
			.bind("destinations", rows.texts(DeliveryRow::destination))
			.bind("suppressed", rows.booleans(DeliveryRow::suppressed))
			.bind("contacts", rows.uuids((row) -> row.email().mail().contactId()))
			.bind("dues", rows.texts((row) -> text(row.email().mail().sendAt())))
			.update(jdbc);
		return deliveries;
	}

	private void insertAttachments(JdbcClient jdbc, List<AttachmentRow> files) {
		Columns<AttachmentRow> columns = Columns.of(files);
		if (files.isEmpty()) {
			return;
		}
		SqlStatement.of("""
				insert into attachment (email_id, position, account_id, content)
				select email_id, position, account_id, decode(content, 'base64')
				  from unnest(:emails::uuid[], :positions::int[], :accounts::uuid[], :contents::text[])
				       as file(email_id, position, account_id, content)
				""")
			.bind("emails", columns.uuids((row) -> row.email().id()))
			.bind("positions", columns.integers(AttachmentRow::position))
			.bind("accounts", columns.uuids((row) -> row.email().accountId()))
			.bind("contents", columns.texts(AttachmentRow::content))
			.update(jdbc);
	}

	private @Nullable String json(@Nullable Object value) {
		return (value != null) ? this.json.writeValueAsString(value) : null;
	}

	private static @Nullable String text(@Nullable Object value) {
		return (value != null) ? value.toString() : null;
	}

	/**
	 * A list as the text of a PostgreSQL array (its manual, 8.15.2): {@code unnest} takes
	 * no arrays of arrays.
	 */
	private static String array(List<?> values) {
		return values.stream()
			.map((value) -> "\"" + value.toString().replace("\\", "\\\\").replace("\"", "\\\"") + "\"")
			.collect(Collectors.joining(",", "{", "}"));
	}

	/** One recipient of an email. */
	private record DeliveryRow(UUID id, NewEmail email, int position, String recipient, boolean suppressed) {

		String destination() {
			return this.recipient.substring(this.recipient.lastIndexOf('@') + 1).toLowerCase(Locale.ROOT);
		}

		boolean isDue() {
			return !this.suppressed && this.email.mail().sendAt() == null;
		}

		/** The lease of the row in the queue as it is inserted. */
		Lease lease() {
			return new Lease(this.id, 0, this.email.sender().route(destination()));
		}

		static Stream<DeliveryRow> of(NewEmail email, NoArgGenerator ids) {
			List<String> recipients = email.recipients();
			return IntStream.range(0, recipients.size()).mapToObj((i) -> {
				String recipient = recipients.get(i);
				return new DeliveryRow(ids.generate(), email, i, recipient, email.isSuppressed(recipient));
			});
		}

	}

	/** Content of an attachment that is not stored in the bucket, in base64. */
	private record AttachmentRow(NewEmail email, int position, String content) {

		static Stream<AttachmentRow> of(NewEmail email) {
			List<MailContent.Attachment> files = email.content().attachments();
			return IntStream.range(0, files.size())
				.filter((i) -> !email.uploadedParts().contains(Integer.toString(i)))
				.mapToObj((i) -> new AttachmentRow(email, i, files.get(i).content()));
		}

	}

	/** An attachment without its content, as in the column {@code attachments}. */
	private record AttachmentColumn(String filename, @JsonProperty("content_type") String contentType,
			@JsonProperty("content_id") @Nullable String contentId) {

		static List<AttachmentColumn> of(MailContent content) {
			return content.attachments()
				.stream()
				.map((file) -> new AttachmentColumn(file.filename(), file.contentType(), file.contentId()))
				.toList();
		}

	}

	private static final String LOOK_UP = """
			select sender.account_id, null as address, sender.domain_id, account.email_verified_at is not null,
			       account.paused_reason, domain.name, domain.status,
			       case when domain.status = 'failed' then
			            (select left(string_agg(look.value ->> 'error', '; ' order by look.key desc), 1000)
			               from jsonb_each(domain.checks) as look(key, value)
			              where look.value ->> 'status' = 'failed'
			                and (starts_with(look.key, 'ownership ') or starts_with(look.key, 'dkim '))) end,
			       domain.open_tracking, domain.click_tracking, sender.name,
			       coalesce(domain.transport, account.transport), domain.require_tls, domain.link_host
			  from (select account_id, name,
			               coalesce(domain_id, (select id from domain where domain.account_id = asked.account_id
			                                                            and domain.name = asked.name)) as domain_id
			          from unnest(:accounts::uuid[], :domains::uuid[], :names::text[])
			               as asked(account_id, domain_id, name)) as sender
			  join account on account.id = sender.account_id
			  left join domain on domain.id = sender.domain_id and domain.account_id = sender.account_id
			union all
			select account_id, address, null, null, null, null, null, null, null, null, null, null, null, null
			  from suppression join unnest(:owners::uuid[], :addresses::text[]) as target(account_id, address)
			 using (account_id, address)
			""";

	private static final String INSERT = """
			with mail as (
			    insert into email (id, account_id, domain_id, sender, from_email, to_emails, cc, bcc, reply_to, subject,
			                       tags, status, last_event, scheduled_at, open_tracking, click_tracking, trace,
			                       api_key_id, person_id, link_host, forward, created_at)
			    select id, account_id, domain_id, sender, from_email, to_emails::text[], cc::text[], bcc::text[],
			           reply_to::text[], subject, tags::jsonb, status, last_event, scheduled_at::timestamptz,
			           open_tracking::boolean, click_tracking::boolean, trace, api_key_id, person_id, link_host,
			           forward::jsonb, :now
			      from unnest(:ids::uuid[], :accounts::uuid[], :domains::uuid[], :senders::text[], :froms::text[],
			                  :tos::text[], :ccs::text[], :bccs::text[], :replies::text[], :subjects::text[],
			                  :tags::text[], :statuses::text[], :events::text[], :scheduled::text[],
			                  :opens::text[], :clicks::text[], :traces::text[], :keys::uuid[], :people::uuid[],
			                  :link_hosts::text[], :forwards::text[])
			        as mail(id, account_id, domain_id, sender, from_email, to_emails, cc, bcc, reply_to, subject, tags,
			                status, last_event, scheduled_at, open_tracking, click_tracking, trace, api_key_id, person_id,
			                link_host, forward)),
			content as (
			    insert into email_content (email_id, account_id, html, text, headers, attachments, outside)
			    select email_id, account_id, html, text, headers::jsonb, attachments::jsonb, outside::text[]
			      from unnest(:ids::uuid[], :accounts::uuid[], :htmls::text[], :texts::text[], :headers::text[],
			                  :files::text[], :outsides::text[])
			           as content(email_id, account_id, html, text, headers, attachments, outside)),
			addressed as materialized (
			    select id, account_id, email_id, position, recipient, recipient_key, destination, suppressed, contact_id,
			           false as campaign, null::uuid as campaign_id, coalesce(due_at::timestamptz, now()) as due_at
			      from unnest(:deliveries::uuid[], :owners::uuid[], :mails::uuid[], :positions::int[], :recipients::text[],
			                  :recipient_keys::text[], :destinations::text[], :suppressed::boolean[], :dues::text[],
			                  :contacts::uuid[])
			        as item(id, account_id, email_id, position, recipient, recipient_key, destination, suppressed, due_at,
			                contact_id)),
			queued as (
			    %s)
			insert into delivery (id, account_id, email_id, position, recipient, status, created_at, settled_at, contact_id)
			select id, account_id, email_id, position, recipient, case when suppressed then 'suppressed' else 'pending' end,
			       :now, case when suppressed then now() end, contact_id
			  from addressed
			"""
		.formatted(Transitions.enqueue("addressed where not suppressed"));

}
