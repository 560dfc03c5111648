package dev.mailroom.inbound;

import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import dev.mailroom.AcrossAccounts;
import dev.mailroom.Scope;
import io.r2dbc.spi.Readable;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;

import static dev.mailroom.database.RowColumns.on;
import static dev.mailroom.database.RowColumns.value;

/** SQL that stores received mail. */
@Repository
class ReceivedMailStore {

	private final DatabaseClient database;

	ReceivedMailStore(DatabaseClient database) {
		this.database = database;
	}

	@AcrossAccounts("a remote server names a domain; its account is looked up")
	Mono<ReceivingDomain.Owner> owner(String name) {
		return this.database
			.sql("select * from receives_here(:name) left join lateral inbound_rules(domain_id) on true")
			.bind("name", name)
			.map((row) -> on(row, "moved") ? Optional.<ReceivingDomain.Owner>empty() : Optional.of(owner(row)))
			.all()
			.map((found) -> found.orElseThrow(() -> new ReceivedMails.DomainMoved(name)))
			.reduce((owner, next) -> new ReceivingDomain.Owner(owner.accountId(), owner.domainId(),
					Stream.concat(owner.rules().stream(), next.rules().stream()).toList()));
	}

	private static ReceivingDomain.Owner owner(Readable row) {
		return new ReceivingDomain.Owner(value(row, "account_id", UUID.class), value(row, "domain_id", UUID.class),
				(row.get("pattern") != null)
						? List.of(InboundRouteStore.rule(row, List.of(value(row, "confirmed", String[].class))))
						: List.of());
	}

	/** Size of the mail that was stored for an account today. */
	Mono<Long> bytesToday(Scope scope) {
		return this.database.sql("""
				select coalesce(sum(bytes), 0)::bigint from inbound_day
				 where account_id = :account and day = (now() at time zone 'UTC')::date
				""").bind("account", scope.account()).mapValue(Long.class).one();
	}

	/** Counts a stored mail, and deletes the counts of earlier days. */
	Mono<Void> countBytes(Scope scope, long bytes) {
		return this.database.sql("""
				with earlier as (
				    delete from inbound_day where account_id = :account and day < (now() at time zone 'UTC')::date)
				insert into inbound_day as today (account_id, day, bytes)
				values (:account, (now() at time zone 'UTC')::date, :bytes)
				on conflict (account_id, day) do update set bytes = today.bytes + excluded.bytes
				""").bind("account", scope.account()).bind("bytes", bytes).then();
	}

	/**
	 * Inserts a mail unless it is stored already; returns the number of inserted rows.
	 */
	Mono<Long> insert(InboundEmail email, List<String> recipients, byte @Nullable [] fingerprint) {
		DatabaseClient.GenericExecuteSpec statement = this.database.sql("""
				insert into inbound_email (id, account_id, domain_id, from_email, from_name, to_emails, cc_emails,
				                           subject, spam_verdict, virus_verdict, spf_verdict, dkim_verdict,
				                           dmarc_verdict, created_at, recipients, fingerprint)
				values (:id, :account, :domain, :from, :name, :to, :cc, :subject, :spam, :virus, :spf, :dkim, :dmarc,
				        :created, :recipients, :fingerprint)
				on conflict (account_id, domain_id, fingerprint) where fingerprint is not null do nothing
				""")
			.bind("id", email.id())
			.bind("account", email.accountId())
			.bind("domain", email.domainId())
			.bind("from", email.fromEmail())
			.bind("name", email.fromName())
			.bind("to", email.toEmails().toArray(String[]::new))
			.bind("cc", email.ccEmails().toArray(String[]::new))
			.bind("subject", email.subject())
			.bind("created", email.createdAt())
			.bind("recipients", recipients.toArray(String[]::new));
		return bindVerdicts(statement, email, fingerprint).fetch().rowsUpdated();
	}

	/** The id of a copy that is stored already. */
	Mono<UUID> find(MailCopy copy, byte[] fingerprint) {
		return this.database.sql("""
				select id from inbound_email
				 where account_id = :account and domain_id = :domain and fingerprint = :fingerprint
				""")
			.bind("account", copy.accountId())
			.bind("domain", copy.email().domainId())
			.bind("fingerprint", fingerprint)
			.mapValue(UUID.class)
			.one();
	}

	private static DatabaseClient.GenericExecuteSpec bindVerdicts(DatabaseClient.GenericExecuteSpec statement,
			InboundEmail email, byte @Nullable [] fingerprint) {
		DatabaseClient.GenericExecuteSpec bound = statement.bind("spam", email.spamVerdict())
			.bind("virus", email.virusVerdict())
			.bind("spf", email.spfVerdict())
			.bind("dkim", email.dkimVerdict())
			.bind("dmarc", email.dmarcVerdict());
		return (fingerprint != null) ? bound.bind("fingerprint", fingerprint)
				: bound.bindNull("fingerprint", byte[].class);
	}

	Mono<Void> insertContent(MailCopy copy, ArrivedMail mail) {
		DatabaseClient.GenericExecuteSpec statement = this.database.sql("""
				insert into inbound_content (inbound_email_id, account_id, html, text, raw, outside)
				values (:id, :account, :html, :text, :raw, :outside)
				""").bind("id", copy.email().id()).bind("account", copy.accountId());
		statement = bind(statement, "html", mail.text().html(), String.class);
		statement = bind(statement, "text", mail.text().text(), String.class);
		statement = bind(statement, "raw", copy.isOutside(MailCopy.RAW) ? null : mail.raw(), byte[].class);
		return bind(statement, "outside", copy.outside().isEmpty() ? null : copy.parts().toArray(String[]::new),
				String[].class)
			.then();
	}

	/**
	 * Inserts attachments one by one, because together they can be as large as the mail.
	 */
	Mono<Void> insertFiles(MailCopy copy, List<InboundEmail.FileContent> files) {
		return Flux.fromStream(IntStream.range(0, files.size()).boxed()).concatMap((position) -> {
			InboundEmail.FileContent file = files.get(position);
			DatabaseClient.GenericExecuteSpec statement = this.database.sql("""
					insert into inbound_attachment (inbound_email_id, position, account_id, filename, content_type,
					                                content, size)
					values (:id, :position, :account, :filename, :type, :content, :size)
					""")
				.bind("id", copy.email().id())
				.bind("position", position)
				.bind("account", copy.accountId())
				.bind("filename", file.filename())
				.bind("type", file.contentType())
				.bind("size", (long) file.content().length);
			boolean outside = copy.isOutside(Integer.toString(position));
			return bind(statement, "content", outside ? null : file.content(), byte[].class).then();
		}).then();
	}

	private static <T> DatabaseClient.GenericExecuteSpec bind(DatabaseClient.GenericExecuteSpec statement, String name,
			@Nullable T value, Class<T> type) {
		return (value != null) ? statement.bind(name, value) : statement.bindNull(name, type);
	}

}
