package dev.mailroom.queue;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;

import dev.mailroom.blob.Blob;
import dev.mailroom.blob.BlobGone;
import dev.mailroom.blob.Blobs;
import dev.mailroom.outcome.Outcome;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/**
 * Fetches what lies in the bucket, behind the fence and outside its transaction: a bucket
 * may take its time.
 */
@Component
class ContentFetcher {

	private static final Logger log = LoggerFactory.getLogger(ContentFetcher.class);

	private static final int AT_ONCE = 4;

	/** Where the files of a group come to more than this, the rest of it waits. */
	static final long MOST_BYTES = 8L * 1024 * 1024;

	/** For all mails of a group: their leases run meanwhile. */
	private static final Duration LONGEST = Duration.ofSeconds(25);

	/** Tried again soon, for as long as the mail may wait. */
	private static final Outcome AWAY = new Outcome.Unopened("The mail's content could not be fetched", false);

	/** It did not fit beside the others of its group: tried again soon. */
	private static final Outcome LATER = new Outcome.Unopened("The mail's files wait for room", false);

	private static final Outcome GONE = new Outcome.Failed("The mail's content is gone", true);

	private final Blobs blobs;

	ContentFetcher(Blobs blobs) {
		this.blobs = blobs;
	}

	/** Completes mails; those that cannot be go no further. */
	Mono<Fetched> complete(Map<UUID, MailStore.Loaded> mails) {
		if (mails.values().stream().allMatch(MailStore.Loaded::isWhole)) {
			return Mono.just(new Fetched(mails, Map.of()));
		}
		Map<UUID, MailStore.Loaded> whole = new HashMap<>(mails);
		Map<UUID, Outcome> failed = new HashMap<>();
		long latest = System.nanoTime() + LONGEST.toNanos();
		AtomicLong bytes = new AtomicLong();
		return Flux.fromIterable(mails.entrySet()).filter((mail) -> !mail.getValue().isWhole()).concatMap((mail) -> {
			if (!mail.getValue().here() || bytes.get() >= MOST_BYTES) {
				failed.put(mail.getKey(), LATER);
				return Mono.empty();
			}
			return whole(mail.getKey(), mail.getValue())
				.timeout(Duration.ofNanos(Math.max(0, latest - System.nanoTime())))
				.doOnNext((loaded) -> {
					whole.put(mail.getKey(), loaded);
					loaded.mail().attachments().forEach((file) -> bytes.addAndGet(file.content().length));
				})
				.onErrorResume((error) -> {
					log.warn("The content of mail {} could not be fetched: {}", mail.getKey(), error.toString());
					failed.put(mail.getKey(), (error instanceof BlobGone) ? GONE : AWAY);
					return Mono.empty();
				});
		}).then(Mono.fromSupplier(() -> new Fetched(whole, failed)));
	}

	private Mono<MailStore.Loaded> whole(UUID id, MailStore.Loaded loaded) {
		return Flux.fromIterable(loaded.outside())
			.flatMap((part) -> this.blobs.get(new Blob.Name(loaded.accountId(), id, part))
				.map((content) -> Map.entry(part, content)), AT_ONCE)
			.collectMap(Map.Entry::getKey, Map.Entry::getValue)
			.map((contents) -> loaded.whole(whole(loaded.mail(), contents)));
	}

	private static Mail whole(Mail mail, Map<String, byte[]> contents) {
		List<Attachment> files = new ArrayList<>();
		for (int i = 0; i < mail.attachments().size(); i++) {
			Attachment file = mail.attachments().get(i);
			byte[] content = contents.getOrDefault(Integer.toString(i), file.content());
			files.add(new Attachment(file.filename(), file.contentType(), file.contentId(), content));
		}
		return new Mail(mail.sender(), mail.to(), mail.cc(), mail.replyTo(), mail.subject(),
				text(contents.get("html"), mail.html()), text(contents.get("text"), mail.text()), mail.headers(), files,
				mail.createdAt(), mail.stream());
	}

	private static @Nullable String text(byte @Nullable [] content, @Nullable String otherwise) {
		return (content != null) ? new String(content, StandardCharsets.UTF_8) : otherwise;
	}

	/**
	 * Mails with all that they say.
	 *
	 * @param failed what comes of those that are not whole
	 */
	record Fetched(Map<UUID, MailStore.Loaded> mails, Map<UUID, Outcome> failed) {
	}

}
