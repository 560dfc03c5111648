package dev.mailroom.mail.log;

import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.Stream;

import dev.mailroom.Scope;
import dev.mailroom.database.IdRange;
import dev.mailroom.mail.outcome.Attempts;
import dev.mailroom.template.Content;
import io.r2dbc.postgresql.codec.Json;
import io.r2dbc.spi.Readable;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.r2dbc.core.DatabaseClient.GenericExecuteSpec;
import org.springframework.stereotype.Repository;

/** SQL that reads the submitters, deliveries, attempts and content of mails. */
@Repository
class MailDetailStore {

	private static final TypeReference<Map<String, Object>> OBJECT = new TypeReference<>() {
	};

	private static final TypeReference<Map<String, String>> VALUES = new TypeReference<>() {
	};

	private final DatabaseClient database;

	private final JsonMapper json;

	MailDetailStore(DatabaseClient database, JsonMapper json) {
		this.database = database;
		this.json = json;
	}

	Flux<MailDelivery> deliveries(Scope scope, Collection<UUID> emailIds) {
		return ofMails(scope, emailIds, """
				select id, account_id, email_id, recipient, status, phase, held, attempt, ambiguous, reply,
				       coalesce(due_at, settled_at, created_at) as due_at, settled_at
				  from delivery_state
				 where email_id = any(:emails) and email_id between :min and :max and account_id = :account
				 order by email_id, position
				""").mapProperties(MailDelivery.class).all();
	}

	Flux<MailAttempt> attempts(Scope scope, Collection<UUID> emailIds) {
		return ofMails(scope, emailIds, """
				select delivery_attempt.*, delivery.recipient
				  from delivery_attempt
				  join delivery on delivery.id = delivery_id and delivery.email_id = delivery_attempt.email_id
				               and delivery.email_id = any(:emails) and delivery.email_id between :min and :max
				 where delivery_attempt.account_id = :account and delivery_attempt.email_id = any(:emails)
				   and delivery_attempt.email_id between :min and :max
				 order by delivery_attempt.email_id, delivery_attempt.id
				""").map(MailDetailStore::attempt).all();
	}

	/** The campaigns of mails, without those that were deleted. */
	Flux<MailCampaign> campaigns(Scope scope, Collection<UUID> emailIds) {
		return ofMails(scope, emailIds, """
				select email.id as email_id, campaign.id, campaign.name
				  from email join campaign on campaign.id = email.campaign_id and campaign.account_id = :account
				 where email.account_id = :account and email.id = any(:emails) and email.id between :min and :max
				""").mapProperties(MailCampaign.class).all();
	}

	/** The submitters of mails that have one. */
	Flux<Submitted> submitters(Scope scope, Collection<UUID> emailIds) {
		return ofMails(scope, emailIds, """
				select email.id as email_id, email.api_key_id, email.person_id, api_key.name as key_name,
				       member.person_id is not null as member
				  from email
				  left join api_key on api_key.id = email.api_key_id and api_key.account_id = :account
				  left join member on member.person_id = email.person_id and member.account_id = :account
				 where email.account_id = :account and email.id = any(:emails) and email.id between :min and :max
				   and (email.api_key_id is not null or email.person_id is not null)
				""").mapProperties(Submitted.class).all();
	}

	private GenericExecuteSpec ofMails(Scope scope, Collection<UUID> emailIds, String sql) {
		IdRange range = IdRange.of(emailIds);
		return this.database.sql(sql)
			.bind("emails", emailIds.toArray(UUID[]::new))
			.bind("min", range.min())
			.bind("max", range.max())
			.bind("account", scope.account());
	}

	/** The content of a mail; that of a campaign's mail is rendered for its contact. */
	Mono<Stored> content(Scope scope, UUID emailId) {
		return this.database
			.sql("""
					select html, text, headers, outside, null::jsonb as merge, jsonb_array_length(attachments) as attachments
					  from email_content where email_id = :email and account_id = :account
					union all
					select campaign.html_content, campaign.text_content, '{}', null, coalesce(recipient.merge, '{}'), 0
					  from email join campaign on campaign.id = email.campaign_id and campaign.account_id = :account
					  join delivery on delivery.id = email.id and delivery.email_id = email.id
					  left join campaign_recipient recipient
					    on recipient.campaign_id = email.campaign_id and recipient.contact_id = delivery.contact_id
					 where email.id = :email and email.account_id = :account
					""")
			.bind("email", emailId)
			.bind("account", scope.account())
			.map(this::stored)
			.one();
	}

	private Stored stored(Readable row) {
		Map<String, Object> headers = Objects
			.requireNonNull(this.json.readValue(value(row, "headers", Json.class).asString(), OBJECT));
		String[] outside = row.get("outside", String[].class);
		@Nullable String html = row.get("html", String.class);
		@Nullable String text = row.get("text", String.class);
		@Nullable Json merge = row.get("merge", Json.class);
		if (merge != null) {
			Content.Rendered rendered = new Content(null, html, text)
				.render(Objects.requireNonNull(this.json.readValue(merge.asString(), VALUES)));
			return new Stored(new MailText(rendered.html(), rendered.text(), headers, 0), List.of());
		}
		int attachments = value(row, "attachments", Integer.class);
		return new Stored(new MailText(html, text, headers, attachments),
				(outside != null) ? List.of(outside) : List.of());
	}

	private static MailAttempt attempt(Readable row) {
		return new MailAttempt(value(row, "email_id", UUID.class),
				new Attempts.Made(value(row, "id", UUID.class), text(row, "recipient"),
						value(row, "attempt", Integer.class), value(row, "began_at", Instant.class),
						value(row, "took_ms", Long.class), text(row, "outcome"), text(row, "transport"),
						text(row, "host"), text(row, "address"), text(row, "tls"), row.get("reply", String.class),
						Attempts.TranscriptLine.read(text(row, "conversation")), row.get("source", String.class)));
	}

	private static String text(Readable row, String column) {
		return value(row, column, String.class);
	}

	private static <T> T value(Readable row, String column, Class<T> type) {
		return Objects.requireNonNull(row.get(column, type), column);
	}

	/** An attempt with its mail. */
	record MailAttempt(UUID emailId, Attempts.Made attempt) {
	}

	/**
	 * The key or the person that submitted a mail.
	 *
	 * @param keyName null for a person and for a key that was revoked
	 * @param member whether the person belongs to the account
	 */
	record Submitted(UUID emailId, @Nullable UUID apiKeyId, @Nullable UUID personId, @Nullable String keyName,
			boolean member) {

		Stream<UUID> members() {
			return this.member ? Stream.ofNullable(this.personId) : Stream.empty();
		}

		MailSubmitter submitter(Map<UUID, String> people) {
			return (this.apiKeyId != null)
					? new MailSubmitter(this.emailId, MailSubmitter.Kind.API_KEY, this.apiKeyId, this.keyName)
					: new MailSubmitter(this.emailId, MailSubmitter.Kind.PERSON, Objects.requireNonNull(this.personId),
							people.get(this.personId));
		}

	}

	/**
	 * Content as it is stored.
	 *
	 * @param outside names of the parts that are in the bucket
	 */
	record Stored(MailText content, List<String> outside) {
	}

}
