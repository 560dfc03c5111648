package dev.mailroom.mail.queue;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.mailroom.AcrossAccounts;
import dev.mailroom.database.IdRange;
import dev.mailroom.database.SqlStatement;
import dev.mailroom.event.TraceParent;
import dev.mailroom.mail.draft.Forward;
import dev.mailroom.secret.SealedText;
import io.r2dbc.spi.Readable;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JacksonException;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

import static dev.mailroom.database.RowColumns.number;
import static dev.mailroom.database.RowColumns.on;
import static dev.mailroom.database.RowColumns.text;
import static dev.mailroom.database.RowColumns.value;

/** Loads the content of mails, once for each mail and not for each recipient. */
@Repository
@AcrossAccounts("mails that passed the fence, of every account")
class MailStore {

	private static final Logger log = LoggerFactory.getLogger(MailStore.class);

	private static final TypeReference<LinkedHashMap<String, String>> HEADERS = new TypeReference<>() {
	};

	private static final TypeReference<List<FileEntry>> FILES = new TypeReference<>() {
	};

	private final CampaignContents campaigns;

	private final SealedText sealedText;

	private final JsonMapper json;

	MailStore(CampaignContents campaigns, SealedText sealedText, JsonMapper json) {
		this.sealedText = sealedText;
		this.campaigns = campaigns;
		this.json = json;
	}

	/**
	 * The mails whose content is stored and can be parsed; others are left out and do not
	 * fail the group. All mails of a campaign share its content.
	 */
	Map<UUID, LoadedMail> load(JdbcClient jdbc, List<UUID> emails) {
		UUID[] ids = emails.toArray(UUID[]::new);
		IdRange range = IdRange.of(emails);
		List<Row> rows = SqlStatement
			.of("""
					select email.*, email.forward::text as forwarding, content.html, content.text, content.headers::text as headers,
					       content.attachments::text as attachments, content.outside
					  from email
					  left join lateral (
					      select * from email_content where email_id = email.id and email_id between :min and :max
					      offset 0) as content on true
					 where id = any(:ids) and id between :min and :max
					""")
			.bind("ids", ids)
			.bind("min", range.min())
			.bind("max", range.max())
			.list(jdbc, this::parsed)
			.stream()
			.flatMap(Optional::stream)
			.toList();
		boolean files = rows.stream().anyMatch((row) -> !row.files().isEmpty());
		Map<UUID, LoadedMail> mails = mails(rows, files ? contents(jdbc, ids, range) : Map.of());
		addCampaigns(jdbc, rows, mails);
		return mails;
	}

	/** Adds the content of campaigns to their mails. */
	private void addCampaigns(JdbcClient jdbc, List<Row> rows, Map<UUID, LoadedMail> mails) {
		Map<UUID, UUID> campaignIds = new HashMap<>();
		rows.forEach((row) -> Optional.ofNullable(row.campaignId()).ifPresent((id) -> campaignIds.put(row.id(), id)));
		if (campaignIds.isEmpty()) {
			return;
		}
		Map<UUID, CampaignContents.CampaignContent> contents = this.campaigns.of(jdbc,
				Set.copyOf(campaignIds.values()));
		Map<UUID, Map<String, String>> merges = merges(jdbc, campaignIds.keySet());
		campaignIds.forEach((mail, campaign) -> mails.computeIfPresent(mail, (_, loaded) -> {
			CampaignContents.CampaignContent content = contents.get(campaign);
			return (content != null)
					? loaded.with(content, new HandOver.Merge(campaign, merges.getOrDefault(mail, Map.of()))) : null;
		}));
	}

	/** Values of the placeholders by mail. */
	private Map<UUID, Map<String, String>> merges(JdbcClient jdbc, Collection<UUID> emails) {
		IdRange range = IdRange.of(emails);
		return SqlStatement.of("""
				select recipient.email_id, recipient.merge::text as merge
				  from email join queue on queue.id = email.id
				  join campaign_recipient recipient
				    on recipient.campaign_id = email.campaign_id and recipient.contact_id = queue.contact_id
				 where email.id = any(:ids) and email.id between :min and :max and recipient.merge is not null
				""")
			.bind("ids", emails.toArray(UUID[]::new))
			.bind("min", range.min())
			.bind("max", range.max())
			.list(jdbc,
					(row) -> Map.<UUID, Map<String, String>>entry(value(row, "email_id", UUID.class),
							json(row, "merge", HEADERS)))
			.stream()
			.collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue, (first, _) -> first));
	}

	/**
	 * Attachments of as many mails as the memory limit allows, and of at least one. Many
	 * threads load mails at the same time.
	 */
	private static Map<File, byte[]> contents(JdbcClient jdbc, UUID[] emails, IdRange range) {
		return SqlStatement.of("""
				with sized as (
				    select email_id, sum(octet_length(content)) as bytes from attachment
				     where email_id = any(:ids) and email_id between :min and :max group by email_id),
				summed as (select email_id, sum(bytes) over (order by email_id) - bytes as before from sized)
				select email_id, position, content from attachment join summed using (email_id)
				 where before < :max_bytes and email_id = any(:ids) and email_id between :min and :max
				""")
			.bind("ids", emails)
			.bind("min", range.min())
			.bind("max", range.max())
			.bind("max_bytes", ContentFetcher.MAX_BYTES)
			.list(jdbc,
					(row) -> Map.entry(new File(value(row, "email_id", UUID.class), number(row, "position")),
							value(row, "content", byte[].class)))
			.stream()
			.collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
	}

	private static Map<UUID, LoadedMail> mails(List<Row> rows, Map<File, byte[]> contents) {
		Map<UUID, LoadedMail> mails = new HashMap<>();
		for (Row row : rows) {
			List<StoredMail.Attachment> attachments = new ArrayList<>();
			boolean rowsLoaded = true;
			for (int i = 0; i < row.files().size(); i++) {
				FileEntry file = row.files().get(i);
				byte[] content = contents.getOrDefault(new File(row.id(), i), new byte[0]);
				rowsLoaded &= contents.containsKey(new File(row.id(), i))
						|| row.bucketParts().contains(Integer.toString(i));
				attachments
					.add(new StoredMail.Attachment(file.filename(), file.contentType(), file.contentId(), content));
			}
			mails.put(row.id(), new LoadedMail(row.accountId(), row.domainId(), row.openTracking(), row.clickTracking(),
					row.linkHost(), row.mail().with(attachments), row.bucketParts(), rowsLoaded, row.trace(), null));
		}
		return mails;
	}

	private Optional<Row> parsed(Readable row) {
		try {
			return Optional.of(row(row));
		}
		catch (JacksonException | NullPointerException ex) {
			UUID id = row.get("id", UUID.class);
			// No column is null in a mail that has its content.
			String reason = (ex instanceof NullPointerException) ? "it has no " + ex.getMessage() : ex.getMessage();
			log.atWarn()
				.addKeyValue("email_id", id)
				.addKeyValue("account_id", row.get("account_id", UUID.class))
				.log("The content of mail {} cannot be read, it becomes a dead letter: {}", id, reason);
			return Optional.empty();
		}
	}

	private @Nullable Forward forward(Readable row) {
		@Nullable String text = row.get("forwarding", String.class);
		return (text != null) ? this.json.readValue(text, Forward.class) : null;
	}

	private Row row(Readable row) {
		@Nullable UUID campaign = row.get("campaign_id", UUID.class);
		boolean own = campaign == null;
		StoredMail mail = new StoredMail(text(row, "sender"), texts(row, "to_emails"), texts(row, "cc"),
				texts(row, "reply_to"), text(row, "subject"), body(row, "html"), body(row, "text"),
				own ? json(row, "headers", HEADERS) : Map.of(), List.of(), date(row), text(row, "stream"),
				forward(row));
		String @Nullable [] outside = row.get("outside", String[].class);
		return new Row(value(row, "id", UUID.class), value(row, "account_id", UUID.class),
				value(row, "domain_id", UUID.class), on(row, "open_tracking"), on(row, "click_tracking"),
				row.get("link_host", String.class), mail, own ? json(row, "attachments", FILES) : List.of(),
				(outside != null) ? List.of(outside) : List.of(), campaign,
				TraceParent.parse(row.get("trace", String.class)).orElse(null));
	}

	/**
	 * A body with the links that are sealed while it is stored. They are opened for the
	 * only recipient of a mail that Mailroom itself has written: an account can read the
	 * sealed text and copy it into a mail of its own, where it stays sealed.
	 */
	private @Nullable String body(Readable row, String column) {
		@Nullable String text = row.get(column, String.class);
		boolean written = row.get("api_key_id", UUID.class) == null && row.get("person_id", UUID.class) == null
				&& row.get("campaign_id", UUID.class) == null;
		if (text == null || !written || !SealedText.isIn(text)) {
			return text;
		}
		List<String> recipients = Stream.of("to_emails", "cc", "bcc")
			.flatMap((list) -> texts(row, list).stream())
			.toList();
		return (recipients.size() == 1)
				? this.sealedText.open(text, value(row, "account_id", UUID.class), recipients.getFirst()) : text;
	}

	/**
	 * The scheduled time, if it is later: spam filters distrust an old Date header, and
	 * mail clients sort by it.
	 */
	private static Instant date(Readable row) {
		Instant created = value(row, "created_at", Instant.class);
		@Nullable Instant scheduled = row.get("scheduled_at", Instant.class);
		return (scheduled != null && scheduled.isAfter(created)) ? scheduled : created;
	}

	private <T> T json(Readable row, String column, TypeReference<T> type) {
		return Objects.requireNonNull(this.json.readValue(text(row, column), type), column);
	}

	private static List<String> texts(Readable row, String column) {
		return List.of(value(row, column, String[].class));
	}

	private record Row(UUID id, UUID accountId, UUID domainId, boolean openTracking, boolean clickTracking,
			@Nullable String linkHost, StoredMail mail, List<FileEntry> files, List<String> bucketParts,
			@Nullable UUID campaignId, @Nullable TraceParent trace) {
	}

	private record File(UUID emailId, int position) {
	}

	/** An entry of the column {@code attachments}. */
	record FileEntry(String filename, @JsonProperty("content_type") String contentType,
			@JsonProperty("content_id") @Nullable String contentId) {
	}

	/**
	 * A mail with its sender and tracking options.
	 *
	 * @param linkHost the tracking domain of its links; null for the shared name
	 * @param bucketParts names of the parts that are still to be fetched from the bucket
	 * @param rowsLoaded whether all parts in the database are loaded; false if the memory
	 * limit was reached before this mail
	 * @param trace the span of the request that sent the mail; null unless it was sampled
	 * @param merge values of the placeholders in the mail of a campaign; null for other
	 * mail
	 */
	record LoadedMail(UUID accountId, UUID domainId, boolean openTracking, boolean clickTracking,
			@Nullable String linkHost, StoredMail mail, List<String> bucketParts, boolean rowsLoaded,
			@Nullable TraceParent trace, HandOver.@Nullable Merge merge) {

		boolean isComplete() {
			return this.rowsLoaded && this.bucketParts.isEmpty();
		}

		/** The same with the complete mail. */
		LoadedMail complete(StoredMail mail) {
			return new LoadedMail(this.accountId, this.domainId, this.openTracking, this.clickTracking, this.linkHost,
					mail, List.of(), true, this.trace, this.merge);
		}

		LoadedMail with(CampaignContents.CampaignContent content, HandOver.Merge merge) {
			return new LoadedMail(this.accountId, this.domainId, this.openTracking, this.clickTracking, this.linkHost,
					this.mail.with(content.html(), content.text(), List.of()), List.of(), true, this.trace, merge);
		}

	}

}
