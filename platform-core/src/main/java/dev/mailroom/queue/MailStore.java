package dev.mailroom.queue;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.mailroom.AcrossAccounts;
import io.r2dbc.postgresql.codec.Json;
import io.r2dbc.spi.Readable;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;
import tools.jackson.core.JacksonException;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;

import static dev.mailroom.wire.RowColumns.on;
import static dev.mailroom.wire.RowColumns.text;
import static dev.mailroom.wire.RowColumns.value;

/** Loads what mails say: once for each mail, however many recipients it has. */
@Repository
@AcrossAccounts("mails behind the fence, of every account")
class MailStore {

	private static final Logger log = LoggerFactory.getLogger(MailStore.class);

	private static final TypeReference<LinkedHashMap<String, String>> HEADERS = new TypeReference<>() {
	};

	private static final TypeReference<List<Listed>> FILES = new TypeReference<>() {
	};

	private final DatabaseClient database;

	private final JsonMapper json;

	MailStore(DatabaseClient database, JsonMapper json) {
		this.database = database;
		this.json = json;
	}

	/** Mails whose content is there and legible: another's fault is not theirs. */
	Mono<Map<UUID, Loaded>> load(List<UUID> emails) {
		UUID[] ids = emails.toArray(UUID[]::new);
		return this.database.sql("""
				select email.*, html, text, headers, attachments, outside
				  from email join email_content on email_id = id where id = any(:ids)
				""").bind("ids", ids).map(this::legible).all().collectList().flatMap((found) -> {
			List<Row> rows = found.stream().flatMap(Optional::stream).toList();
			boolean files = rows.stream().anyMatch((row) -> !row.files().isEmpty());
			return (files ? contents(ids) : Mono.just(Map.<File, byte[]>of())).map((contents) -> mails(rows, contents));
		});
	}

	/**
	 * Files of as many mails as memory bears, and of one at least: many lanes load at
	 * once.
	 */
	private Mono<Map<File, byte[]>> contents(UUID[] emails) {
		return this.database.sql("""
				with sized as (
				    select email_id, sum(octet_length(content)) as bytes from attachment
				     where email_id = any(:ids) group by email_id),
				summed as (select email_id, sum(bytes) over (order by email_id) - bytes as before from sized)
				select email_id, position, content from attachment join summed using (email_id) where before < :most
				""")
			.bind("ids", emails)
			.bind("most", ContentFetcher.MOST_BYTES)
			.map((row) -> Map.entry(new File(value(row, "email_id", UUID.class), value(row, "position", Integer.class)),
					value(row, "content", byte[].class)))
			.all()
			.collectMap(Map.Entry::getKey, Map.Entry::getValue);
	}

	private static Map<UUID, Loaded> mails(List<Row> rows, Map<File, byte[]> contents) {
		Map<UUID, Loaded> mails = new HashMap<>();
		for (Row row : rows) {
			List<Attachment> attachments = new ArrayList<>();
			boolean here = true;
			for (int i = 0; i < row.files().size(); i++) {
				Listed file = row.files().get(i);
				byte[] content = contents.getOrDefault(new File(row.id(), i), new byte[0]);
				here &= contents.containsKey(new File(row.id(), i)) || row.outside().contains(Integer.toString(i));
				attachments.add(new Attachment(file.filename(), file.contentType(), file.contentId(), content));
			}
			Mail mail = row.mail();
			mails.put(row.id(),
					new Loaded(row.accountId(), row.domainId(), row.openTracking(), row.clickTracking(),
							new Mail(mail.sender(), mail.to(), mail.cc(), mail.replyTo(), mail.subject(), mail.html(),
									mail.text(), mail.headers(), attachments, mail.createdAt(), mail.stream()),
							row.outside(), here));
		}
		return mails;
	}

	private Optional<Row> legible(Readable row) {
		try {
			return Optional.of(row(row));
		}
		catch (JacksonException | NullPointerException ex) {
			log.error("The content of mail {} cannot be read", row.get("id", UUID.class), ex);
			return Optional.empty();
		}
	}

	private Row row(Readable row) {
		Mail mail = new Mail(text(row, "sender"), texts(row, "to_emails"), texts(row, "cc"), texts(row, "reply_to"),
				text(row, "subject"), row.get("html", String.class), row.get("text", String.class),
				json(row, "headers", HEADERS), List.of(), date(row), text(row, "stream"));
		String @Nullable [] outside = row.get("outside", String[].class);
		return new Row(value(row, "id", UUID.class), value(row, "account_id", UUID.class),
				value(row, "domain_id", UUID.class), on(row, "open_tracking"), on(row, "click_tracking"), mail,
				json(row, "attachments", FILES), (outside != null) ? List.of(outside) : List.of());
	}

	/**
	 * When it was meant to be sent: a Date weeks old looks like spam, and sinks in the
	 * mailbox.
	 */
	private static Instant date(Readable row) {
		Instant created = value(row, "created_at", Instant.class);
		@Nullable Instant scheduled = row.get("scheduled_at", Instant.class);
		return (scheduled != null && scheduled.isAfter(created)) ? scheduled : created;
	}

	private <T> T json(Readable row, String column, TypeReference<T> type) {
		return Objects.requireNonNull(this.json.readValue(value(row, column, Json.class).asString(), type), column);
	}

	private static List<String> texts(Readable row, String column) {
		return List.of(value(row, column, String[].class));
	}

	/**
	 * A mail, where it comes from, and what is to be told of it.
	 *
	 * @param outside its parts that lie in the bucket, and are not here yet
	 * @param here whether all others are; else there was no more room for its files
	 */
	record Loaded(UUID accountId, UUID domainId, boolean openTracking, boolean clickTracking, Mail mail,
			List<String> outside, boolean here) {

		boolean isWhole() {
			return this.here && this.outside.isEmpty();
		}

		/** The same with all that it says. */
		Loaded whole(Mail mail) {
			return new Loaded(this.accountId, this.domainId, this.openTracking, this.clickTracking, mail, List.of(),
					true);
		}

	}

	private record Row(UUID id, UUID accountId, UUID domainId, boolean openTracking, boolean clickTracking, Mail mail,
			List<Listed> files, List<String> outside) {
	}

	private record File(UUID emailId, int position) {
	}

	/** A file without its content, as the accept side listed it. */
	record Listed(String filename, @JsonProperty("content_type") String contentType,
			@JsonProperty("content_id") @Nullable String contentId) {
	}

}
