package dev.mailroom.mail.queue;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

import dev.mailroom.blob.Blob;
import dev.mailroom.blob.BlobGone;
import dev.mailroom.blob.Blobs;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

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
	Fetched complete(Map<UUID, MailStore.LoadedMail> mails, ContentBudget.Reservation memory) {
		Map<UUID, MailStore.LoadedMail> complete = new HashMap<>(mails);
		Map<UUID, Fenced.Reason> failures = new HashMap<>();
		long deadline = System.nanoTime() + FETCH_TIMEOUT.toNanos();
		long bytes = 0;
		for (Map.Entry<UUID, MailStore.LoadedMail> mail : mails.entrySet()) {
			UUID id = mail.getKey();
			MailStore.LoadedMail stored = mail.getValue();
			if (stored.isComplete()) {
				continue;
			}
			if (!stored.rowsLoaded() || bytes >= MAX_BYTES || !memory.take(stored.accountId(), id, MAX_MAIL_BYTES)) {
				failures.put(id, Fenced.Reason.NO_ROOM);
				continue;
			}
			if (!this.breaker.admits()) {
				failures.put(id, Fenced.Reason.CONTENT_UNAVAILABLE);
				continue;
			}
			try {
				MailStore.LoadedMail loaded = complete(id, stored, deadline - System.nanoTime());
				this.breaker.ended(true);
				complete.put(id, loaded);
				memory.take(stored.accountId(), id, loaded.mail().bytes());
				bytes += loaded.mail().attachments().stream().mapToLong((file) -> file.content().length).sum();
			}
			catch (ExecutionException | CancellationException ex) {
				boolean gone = ex.getCause() instanceof BlobGone;
				this.breaker.ended(gone);
				log.atWarn()
					.addKeyValue("email_id", id)
					.addKeyValue("account_id", stored.accountId())
					.log("The content of mail {} could not be fetched: {}", id,
							(ex instanceof CancellationException) ? "no reply in time" : String.valueOf(ex.getCause()));
				failures.put(id, gone ? Fenced.Reason.CONTENT_GONE : Fenced.Reason.CONTENT_UNAVAILABLE);
			}
		}
		return new Fetched(complete, failures);
	}

	/** Fetches the parts of a mail, several at the same time. */
	private MailStore.LoadedMail complete(UUID id, MailStore.LoadedMail loaded, long nanos) throws ExecutionException {
		List<Callable<byte[]>> fetches = new ArrayList<>();
		loaded.bucketParts()
			.forEach((part) -> fetches.add(() -> this.blobs.read(new Blob.Name(loaded.accountId(), id, part))));
		try (ExecutorService threads = Executors.newFixedThreadPool(PARALLEL_PARTS, Thread.ofVirtual().factory())) {
			List<Future<byte[]>> fetched = threads.invokeAll(fetches, nanos, TimeUnit.NANOSECONDS);
			Map<String, byte[]> contents = new HashMap<>();
			for (int i = 0; i < fetched.size(); i++) {
				contents.put(loaded.bucketParts().get(i), fetched.get(i).get());
			}
			return loaded.complete(complete(loaded.mail(), contents));
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException("The thread was interrupted while it fetched content", ex);
		}
	}

	private static StoredMail complete(StoredMail mail, Map<String, byte[]> contents) {
		List<StoredMail.Attachment> files = new ArrayList<>();
		for (int i = 0; i < mail.attachments().size(); i++) {
			StoredMail.Attachment file = mail.attachments().get(i);
			byte[] content = contents.getOrDefault(Integer.toString(i), file.content());
			files.add(new StoredMail.Attachment(file.filename(), file.contentType(), file.contentId(), content));
		}
		return mail.with(text(contents.get("html"), mail.html()), text(contents.get("text"), mail.text()), files);
	}

	private static @Nullable String text(byte @Nullable [] content, @Nullable String stored) {
		return (content != null) ? new String(content, StandardCharsets.UTF_8) : stored;
	}

	/**
	 * Refuses fetches after repeated failures, because each of them holds a thread and a
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
	record Fetched(Map<UUID, MailStore.LoadedMail> mails, Map<UUID, Fenced.Reason> failures) {
	}

}
