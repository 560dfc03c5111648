package dev.mailroom.accept;

import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;

import com.fasterxml.uuid.NoArgGenerator;
import dev.mailroom.AcrossAccounts;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;

/** Writes a group's mails: one statement, whatever their number. */
@Repository
@AcrossAccounts("mails of a group, each row with its own account; the policy guards the rest")
class AcceptStore {

	private final DatabaseClient database;

	private final NoArgGenerator ids;

	private final JsonMapper json;

	AcceptStore(DatabaseClient database, NoArgGenerator ids, JsonMapper json) {
		this.database = database;
		this.ids = ids;
		this.json = json;
	}

	Flux<SenderStatus> standings(Collection<SenderStatus.Key> senders) {
		if (senders.isEmpty()) {
			return Flux.empty();
		}
		return this.database.sql("""
				select sender.account_id, sender.domain_id, account.email_verified_at is not null as verified,
				       account.paused_reason, domain.name as domain, domain.status,
				       domain.open_tracking, domain.click_tracking,
				       case when domain.status = 'failed' then
				            (select left(string_agg(look.value ->> 'error', '; ' order by look.key desc), 1000)
				               from jsonb_each(domain.checks) as look(key, value)
				              where look.value ->> 'status' = 'failed'
				                and (starts_with(look.key, 'ownership ') or starts_with(look.key, 'dkim '))) end as lost
				  from unnest(:accounts::uuid[], :domains::uuid[]) as sender(account_id, domain_id)
				  join account on account.id = sender.account_id
				  left join domain on domain.id = sender.domain_id and domain.account_id = sender.account_id
				""")
			.bind("accounts", senders.stream().map(SenderStatus.Key::accountId).toArray(UUID[]::new))
			.bind("domains", senders.stream().map(SenderStatus.Key::domainId).toArray(UUID[]::new))
			.mapProperties(SenderStatus.class)
			.all();
	}

	Mono<Void> insert(List<NewEmail> entries, Instant now) {
		if (entries.isEmpty()) {
			return Mono.empty();
		}
		Mono<Void> mails = mails(entries, now);
		List<FileRow> files = entries.stream().flatMap(FileRow::of).toList();
		return files.isEmpty() ? mails : mails.then(Mono.defer(() -> files(files)));
	}

	private Mono<Void> mails(List<NewEmail> entries, Instant now) {
		List<RecipientRow> recipients = entries.stream().flatMap((entry) -> RecipientRow.of(entry, this.ids)).toList();
		return this.database.sql(INSERT)
			.bind("now", now)
			.bind("ids", uuids(entries, NewEmail::id))
			.bind("accounts", uuids(entries, NewEmail::accountId))
			.bind("domains", uuids(entries, NewEmail::domainId))
			.bind("senders", texts(entries, (entry) -> entry.draft().from().toString()))
			.bind("froms", texts(entries, (entry) -> entry.draft().from().address().toString()))
			.bind("tos", texts(entries, (entry) -> Columns.array(entry.draft().to())))
			.bind("ccs", texts(entries, (entry) -> Columns.array(entry.draft().cc())))
			.bind("bccs", texts(entries, (entry) -> Columns.array(entry.draft().bcc())))
			.bind("replies", texts(entries, (entry) -> Columns.array(entry.draft().replyTo())))
			.bind("subjects", texts(entries, (entry) -> entry.draft().subject()))
			.bind("tags", texts(entries, (entry) -> json(entry.draft().tags())))
			.bind("statuses", texts(entries, NewEmail::status))
			.bind("events", texts(entries, NewEmail::lastEvent))
			.bind("scheduled", texts(entries, (entry) -> text(entry.draft().sendAt())))
			.bind("opens", texts(entries, (entry) -> text(entry.draft().openTracking())))
			.bind("clicks", texts(entries, (entry) -> text(entry.draft().clickTracking())))
			.bind("htmls", texts(entries, (entry) -> entry.draft().html()))
			.bind("texts", texts(entries, (entry) -> entry.draft().text()))
			.bind("headers", texts(entries, (entry) -> json(entry.draft().headers())))
			.bind("files", texts(entries, (entry) -> json(FileRow.listed(entry))))
			.bind("outsides",
					texts(entries, (entry) -> entry.outside().isEmpty() ? null : Columns.array(entry.outside())))
			.bind("deliveries", uuids(recipients, RecipientRow::id))
			.bind("mails", uuids(recipients, (row) -> row.entry().id()))
			.bind("owners", uuids(recipients, (row) -> row.entry().accountId()))
			.bind("positions", recipients.stream().map(RecipientRow::position).toArray(Integer[]::new))
			.bind("recipients", texts(recipients, RecipientRow::recipient))
			.bind("suppressed", recipients.stream().map(RecipientRow::suppressed).toArray(Boolean[]::new))
			.bind("contacts", recipients.stream().map((row) -> row.entry().draft().contactId()).toArray(UUID[]::new))
			.bind("dues", texts(recipients, (row) -> text(row.entry().draft().sendAt())))
			.then();
	}

	private Mono<Void> files(List<FileRow> files) {
		return this.database.sql("""
				insert into attachment (email_id, position, account_id, content)
				select email_id, position, account_id, decode(content, 'base64')
				  from unnest(:emails::uuid[], :positions::int[], :accounts::uuid[], :contents::text[])
				       as file(email_id, position, account_id, content)
				""")
			.bind("emails", uuids(files, FileRow::emailId))
			.bind("positions", files.stream().map(FileRow::position).toArray(Integer[]::new))
			.bind("accounts", uuids(files, FileRow::accountId))
			.bind("contents", texts(files, FileRow::content))
			.then();
	}

	private String json(Object value) {
		return this.json.writeValueAsString(value);
	}

	private static @Nullable String text(@Nullable Object value) {
		return (value != null) ? value.toString() : null;
	}

	private static <T> UUID[] uuids(List<T> rows, Function<T, UUID> column) {
		return rows.stream().map(column).toArray(UUID[]::new);
	}

	private static <T> @Nullable String[] texts(List<T> rows, Function<T, @Nullable String> column) {
		return rows.stream().map(column).toArray(String[]::new);
	}

	private static final String INSERT = """
			with mail as (
			    insert into email (id, account_id, domain_id, sender, from_email, to_emails, cc, bcc, reply_to, subject,
			                       tags, status, last_event, scheduled_at, open_tracking, click_tracking, created_at)
			    select id, account_id, domain_id, sender, from_email, to_emails::text[], cc::text[], bcc::text[],
			           reply_to::text[], subject, tags::jsonb, status, last_event, scheduled_at::timestamptz,
			           open_tracking::boolean, click_tracking::boolean, :now
			      from unnest(:ids::uuid[], :accounts::uuid[], :domains::uuid[], :senders::text[], :froms::text[],
			                  :tos::text[], :ccs::text[], :bccs::text[], :replies::text[], :subjects::text[],
			                  :tags::text[], :statuses::text[], :events::text[], :scheduled::text[],
			                  :opens::text[], :clicks::text[])
			           as mail(id, account_id, domain_id, sender, from_email, to_emails, cc, bcc, reply_to, subject,
			                   tags, status, last_event, scheduled_at, open_tracking, click_tracking)),
			content as (
			    insert into email_content (email_id, account_id, html, text, headers, attachments, outside)
			    select email_id, account_id, html, text, headers::jsonb, attachments::jsonb, outside::text[]
			      from unnest(:ids::uuid[], :accounts::uuid[], :htmls::text[], :texts::text[], :headers::text[],
			                  :files::text[], :outsides::text[])
			           as content(email_id, account_id, html, text, headers, attachments, outside))
			insert into delivery (id, account_id, email_id, position, recipient, phase, due_at, status, created_at,
			                      settled_at, contact_id)
			select id, account_id, email_id, position, recipient,
			       case when suppressed then 'done' else 'queued' end,
			       coalesce(due_at::timestamptz, now()),
			       case when suppressed then 'suppressed' else 'pending' end,
			       :now, case when suppressed then now() end, contact_id
			  from unnest(:deliveries::uuid[], :owners::uuid[], :mails::uuid[], :positions::int[], :recipients::text[],
			              :suppressed::boolean[], :dues::text[], :contacts::uuid[])
			       as delivery(id, account_id, email_id, position, recipient, suppressed, due_at, contact_id)
			""";

}
