package dev.mailroom.blob;

import java.util.List;

import dev.mailroom.Scope;
import dev.mailroom.Transactions;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Service;

/**
 * Large content, kept in a bucket where there is one, else by its owner in rows. What is
 * put is loose until a commit refers to it, and loose again when its owner goes; what
 * stays loose is swept away. So nothing referred to is missing, and nothing is left
 * behind.
 */
@Service
public class Blobs {

	private static final int AT_ONCE = 4;

	private static final int SWEPT = 64;

	private final BlobStore store;

	private final Transactions transactions;

	private final long beyond;

	private final @Nullable Bucket bucket;

	Blobs(BlobStore store, Transactions transactions, BlobSettings settings) {
		this.store = store;
		this.transactions = transactions;
		this.beyond = settings.beyond().toBytes();
		this.bucket = (settings.store() == BlobSettings.Store.S3) ? new Bucket(settings.s3()) : null;
	}

	/** Whether there is a bucket at all. */
	public boolean hasBucket() {
		return this.bucket != null;
	}

	/** Whether content of so many bytes lies in the bucket. */
	public boolean isOutside(long bytes) {
		return this.bucket != null && bytes > this.beyond;
	}

	/**
	 * Puts content into the bucket; it stays for an hour, and then only if it was
	 * referred to.
	 */
	public Mono<Void> put(Scope scope, List<Blob> blobs) {
		List<Blob.Name> names = blobs.stream().map(Blob::name).toList();
		return this.transactions.in(scope, this.store.announce(scope, names))
			.thenMany(Flux.fromIterable(blobs)
				.flatMap((blob) -> bucket().put(blob.name().key(), blob.content()), AT_ONCE))
			.then();
	}

	/** Reads content; {@link BlobGone} where there is none. */
	public Mono<byte[]> get(Blob.Name name) {
		return Mono.defer(() -> bucket().get(name.key()));
	}

	/**
	 * Keeps content for good. Call it inside the transaction that refers to it; that
	 * fails where the content was swept away meanwhile.
	 */
	public Mono<Void> refer(List<Blob.Name> names) {
		return names.isEmpty() ? Mono.empty()
				: this.store.hold(names)
					.filter((held) -> held == names.size())
					.switchIfEmpty(Mono.error(() -> new IllegalStateException("Content came too late to be kept")))
					.then();
	}

	/**
	 * Removes what was never referred to, or is no longer.
	 * @return how many objects
	 */
	public Mono<Long> sweep() {
		Mono<Long> swept = this.store.due(SWEPT)
			.collectList()
			.flatMap((names) -> Flux.fromIterable(names)
				.flatMap((name) -> bucket().delete(name.key()), AT_ONCE)
				.then(Mono.defer(() -> this.store.forget(names))));
		return (this.bucket != null) ? this.transactions.acrossAccounts(swept) : Mono.just(0L);
	}

	private Bucket bucket() {
		if (this.bucket == null) {
			throw new IllegalStateException("Content lies in a bucket, and none is configured (MAILROOM_BLOB_STORE)");
		}
		return this.bucket;
	}

}
