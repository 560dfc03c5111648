package dev.mailroom.mail.queue;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

import dev.mailroom.blob.Blob;
import dev.mailroom.blob.BlobGone;
import dev.mailroom.blob.Blobs;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/**
 * Fetches content from the bucket, after the fence and outside of its transaction,
 * because a bucket may be slow.
 */
@Component
class ContentFetcher {

	private static final Logger log = LoggerFactory.getLogger(ContentFetcher.class);

	private static final int PARALLEL_PARTS = 4;

	/**
	 * Attachments of a group that may be in memory. The limit is checked before each
	 * mail, so that the last one may exceed it.
	 */
	static final long MAX_BYTES = 8L * 1024 * 1024;

	/** For all mails of a group, because their leases run meanwhile. */
	private static final Duration FETCH_TIMEOUT = Duration.ofSeconds(25);

	/**
	 * Memory reserved for a mail before it is fetched: the limit on the content of a
	 * mail.
	 */
	private static final long MAX_MAIL_BYTES = 10L * 1024 * 1024;

	private final Blobs blobs;

	private final Breaker breaker = new Breaker(System::nanoTime);

	ContentFetcher(Blobs blobs) {
		this.blobs = blobs;
	}

	/** Completes the content of mails; those that cannot be completed have a reason. */
	Mono<Fetched> complete(Map<UUID, LoadedMail> mails, ContentBudget.Reservation memory) {
		if (mails.values().stream().allMatch(LoadedMail::isComplete)) {
			return Mono.just(new Fetched(mails, Map.of()));
		}
		Map<UUID, LoadedMail> complete = new HashMap<>(mails);
		Map<UUID, Fenced.Reason> failures = new HashMap<>();
		long deadline = System.nanoTime() + FETCH_TIMEOUT.toNanos();
		AtomicLong bytes = new AtomicLong();
		return Flux.fromIterable(mails.entrySet()).filter((mail) -> !mail.getValue().isComplete()).concatMap((mail) -> {
			UUID account = mail.getValue().accountId();
			if (!mail.getValue().rowsLoaded() || bytes.get() >= MAX_BYTES
					|| !memory.take(account, mail.getKey(), MAX_MAIL_BYTES)) {
				failures.put(mail.getKey(), Fenced.Reason.NO_ROOM);
				return Mono.empty();
			}
			if (!this.breaker.admits()) {
				failures.put(mail.getKey(), Fenced.Reason.CONTENT_UNAVAILABLE);
				return Mono.empty();
			}
			return complete(mail.getKey(), mail.getValue())
				.timeout(Duration.ofNanos(Math.max(0, deadline - System.nanoTime())))
				.doOnNext((loaded) -> {
					this.breaker.ended(true);
					complete.put(mail.getKey(), loaded);
					memory.take(account, mail.getKey(), loaded.mail().bytes());
					loaded.mail().attachments().forEach((file) -> bytes.addAndGet(file.content().length));
				})
				.onErrorResume((error) -> {
					this.breaker.ended(error instanceof BlobGone);
					log.atWarn()
						.addKeyValue("email_id", mail.getKey())
						.addKeyValue("account_id", account)
						.log("The content of mail {} could not be fetched: {}", mail.getKey(), error.toString());
					failures.put(mail.getKey(), (error instanceof BlobGone) ? Fenced.Reason.CONTENT_GONE
							: Fenced.Reason.CONTENT_UNAVAILABLE);
					return Mono.empty();
				});
		}).then(Mono.fromSupplier(() -> new Fetched(complete, failures)));
	}

	private Mono<LoadedMail> complete(UUID id, LoadedMail loaded) {
		return Flux.fromIterable(loaded.bucketParts())
			.flatMap((part) -> this.blobs.get(new Blob.Name(loaded.accountId(), id, part))
				.map((content) -> Map.entry(part, content)), PARALLEL_PARTS)
			.collectMap(Map.Entry::getKey, Map.Entry::getValue)
			.map((contents) -> loaded.complete(complete(loaded.mail(), contents)));
	}

	private static StoredMail complete(StoredMail mail, Map<String, byte[]> contents) {
		List<Attachment> files = new ArrayList<>();
		for (int i = 0; i < mail.attachments().size(); i++) {
			Attachment file = mail.attachments().get(i);
			byte[] content = contents.getOrDefault(Integer.toString(i), file.content());
			files.add(new Attachment(file.filename(), file.contentType(), file.contentId(), content));
		}
		return mail.with(text(contents.get("html"), mail.html()), text(contents.get("text"), mail.text()), files);
	}

	private static @Nullable String text(byte @Nullable [] content, @Nullable String stored) {
		return (content != null) ? new String(content, StandardCharsets.UTF_8) : stored;
	}

	/**
	 * Refuses fetches after repeated failures, because each of them holds a lane and a
	 * session for its time limit. After a delay, which doubles with each further failure,
	 * one fetch is a trial.
	 */
	static final class Breaker {

		private static final int MAX_FAILURES = 3;

		private static final Duration MIN_DELAY = Duration.ofSeconds(2);

		private static final Duration MAX_DELAY = Duration.ofMinutes(1);

		private final LongSupplier clock;

		private int failures;

		private long delay = MIN_DELAY.toNanos();

		private long end;

		/**
		 * Creates a breaker that admits fetches.
		 * @param clock time in nanoseconds
		 */
		Breaker(LongSupplier clock) {
			this.clock = clock;
		}

		/** Whether a fetch may begin. */
		synchronized boolean admits() {
			if (this.failures < MAX_FAILURES) {
				return true;
			}
			boolean trial = this.clock.getAsLong() - this.end >= 0;
			if (trial) {
				this.end = this.clock.getAsLong() + FETCH_TIMEOUT.toNanos();
			}
			return trial;
		}

		/** Records the end of a fetch. */
		synchronized void ended(boolean replied) {
			if (replied) {
				this.failures = 0;
				this.delay = MIN_DELAY.toNanos();
			}
			else if (++this.failures >= MAX_FAILURES) {
				this.end = this.clock.getAsLong() + this.delay;
				this.delay = Math.min(2 * this.delay, MAX_DELAY.toNanos());
			}
		}

	}

	/**
	 * Mails with their content.
	 *
	 * @param failures reasons why mails are not complete
	 */
	record Fetched(Map<UUID, LoadedMail> mails, Map<UUID, Fenced.Reason> failures) {
	}

}
