package dev.mailroom.blob;

import java.io.IOException;
import java.util.List;
import java.util.function.Function;

import dev.mailroom.Parallel;
import dev.mailroom.Scope;
import dev.mailroom.database.JdbcTransactions;
import dev.mailroom.database.Transactions;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;

/**
 * Large content in a bucket, if one is configured; otherwise it stays in the rows of its
 * mail. An object is recorded as loose before it is put, until a committed row refers to
 * it, and again when that row is deleted. A scheduled job deletes loose objects. This way
 * no referenced object is missing and no unreferenced object remains.
 */
@Service
public class Blobs {

	private static final Logger log = LoggerFactory.getLogger(Blobs.class);

	private static final int MAX_CONCURRENT_REQUESTS = 4;

	private static final int SWEEP_BATCH = 256;

	/** Deletions at the same time: about 500 a second from a bucket nearby. */
	private static final int MAX_CONCURRENT_DELETIONS = 16;

	private final BlobStore store;

	private final Transactions transactions;

	private final JdbcTransactions threads;

	private final long beyond;

	private final @Nullable Bucket bucket;

	Blobs(BlobStore store, Transactions transactions, JdbcTransactions threads, BlobSettings settings) {
		this.store = store;
		this.transactions = transactions;
		this.threads = threads;
		this.beyond = settings.beyond().toBytes();
		this.bucket = (settings.store() == BlobSettings.Store.S3) ? new Bucket(settings.s3()) : null;
	}

	/** Whether a bucket is configured. */
	public boolean hasBucket() {
		return this.bucket != null;
	}

	/** Whether content of this size in bytes is stored in the bucket. */
	public boolean isOutside(long bytes) {
		return this.bucket != null && bytes > this.beyond;
	}

	/**
	 * Puts content into the bucket. It is deleted after an hour unless {@link #refer} was
	 * called.
	 */
	public Mono<Void> put(Scope scope, List<Blob> blobs) {
		List<Blob.Name> names = blobs.stream().map(Blob::name).toList();
		return this.transactions.in(scope, this.store.insert(scope, names))
			.thenMany(Flux.fromIterable(blobs)
				.flatMap((blob) -> bucket().put(blob.name().key(), blob.content()), MAX_CONCURRENT_REQUESTS))
			.then();
	}

	/**
	 * Stores content with the row that refers to it: in the row, or in the bucket if it
	 * is large.
	 * @param insert inserts or updates the row; its argument is whether the content is in
	 * the bucket
	 */
	public <T> Mono<T> save(Scope scope, Blob blob, Function<Boolean, Mono<T>> insert) {
		if (!isOutside(blob.content().length)) {
			return this.transactions.in(scope, insert.apply(false));
		}
		List<Blob.Name> names = List.of(blob.name());
		return put(scope, List.of(blob))
			.then(Mono.defer(() -> this.transactions.in(scope, insert.apply(true).delayUntil((_) -> refer(names)))));
	}

	/**
	 * Content of a row, or of the bucket if the row has none; empty if it was deleted.
	 */
	public Mono<byte[]> content(byte @Nullable [] stored, Blob.Name name) {
		return (stored != null) ? Mono.just(stored) : get(name).onErrorResume(BlobGone.class, (_) -> Mono.empty());
	}

	/** Reads content; {@link BlobGone} if the bucket does not have it. */
	public Mono<byte[]> get(Blob.Name name) {
		return Mono.defer(() -> bucket().get(name.key()));
	}

	/**
	 * Reads content on the calling thread, which may be interrupted.
	 * @throws BlobGone if the bucket does not have it
	 * @throws IOException if the bucket does not reply
	 */
	public byte[] read(Blob.Name name) throws IOException, InterruptedException {
		return bucket().read(name.key());
	}

	/**
	 * Keeps content until its mail is deleted. The caller has opened the transaction that
	 * inserts the referring rows; it fails if the content was deleted before.
	 */
	public Mono<Void> refer(List<Blob.Name> names) {
		return names.isEmpty() ? Mono.empty()
				: this.store.hold(names)
					.filter((count) -> count == names.size())
					.switchIfEmpty(Mono.error(Blobs::deleted))
					.then();
	}

	/** Keeps content, as {@link #refer(List)}, in a transaction of JDBC. */
	public void refer(JdbcClient jdbc, List<Blob.Name> names) {
		if (!names.isEmpty() && this.store.hold(jdbc, names) != names.size()) {
			throw deleted();
		}
	}

	private static IllegalStateException deleted() {
		return new IllegalStateException("Content was deleted from the bucket before its mail was committed");
	}

	/**
	 * Checks that the bucket exists and answers; completes at once without a bucket.
	 */
	public Mono<Void> check() {
		return (this.bucket == null) ? Mono.empty() : this.bucket.check();
	}

	/**
	 * Deletes loose objects until none is due. Those that cannot be deleted are put off;
	 * it ends early if none of a batch can be. No transaction is open during a call to
	 * the bucket: it would hold back the feed of events and the vacuum.
	 * @return the number of objects
	 */
	public long sweep() {
		if (this.bucket == null) {
			return 0;
		}
		long sum = 0;
		List<Blob.Name> names = claim();
		while (!names.isEmpty()) {
			long deleted = delete(names);
			sum += deleted;
			names = (deleted > 0) ? claim() : List.of();
		}
		return sum;
	}

	private List<Blob.Name> claim() {
		return this.threads.acrossAccounts((jdbc) -> this.store.claim(jdbc, SWEEP_BATCH));
	}

	private long delete(List<Blob.Name> names) {
		List<Deletion> all = Parallel.map(names, MAX_CONCURRENT_DELETIONS, this::delete);
		List<Blob.Name> failed = all.stream().filter((one) -> one.error() != null).map(Deletion::name).toList();
		List<Blob.Name> deleted = all.stream().filter((one) -> one.error() == null).map(Deletion::name).toList();
		all.stream()
			.filter((one) -> one.error() != null)
			.findFirst()
			.ifPresent((first) -> log.warn(
					"{} of {} objects were not deleted from the bucket and are put off, the first {}: {}",
					failed.size(), all.size(), first.name().key(), String.valueOf(first.error())));
		return this.threads.<Long>acrossAccounts((jdbc) -> {
			this.store.putOff(jdbc, failed);
			return this.store.forget(jdbc, deleted);
		});
	}

	private Deletion delete(Blob.Name name) {
		try {
			bucket().delete(name.key());
			return new Deletion(name, null);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return new Deletion(name, ex);
		}
		catch (IOException | RuntimeException ex) {
			return new Deletion(name, ex);
		}
	}

	private Bucket bucket() {
		if (this.bucket == null) {
			throw new IllegalStateException("The content is in a bucket, but none is configured (MAILROOM_BLOB_STORE)");
		}
		return this.bucket;
	}

	/** Result of the deletion of an object. */
	private record Deletion(Blob.Name name, @Nullable Throwable error) {
	}

}
