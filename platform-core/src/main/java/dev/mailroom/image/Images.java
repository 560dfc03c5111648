package dev.mailroom.image;

import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;

import com.fasterxml.uuid.NoArgGenerator;
import dev.mailroom.EmailAddress;
import dev.mailroom.FieldErrors;
import dev.mailroom.Page;
import dev.mailroom.Scope;
import dev.mailroom.blob.Blob;
import dev.mailroom.blob.Blobs;
import dev.mailroom.database.Transactions;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Service;

/** Images of an account. */
@Service
public class Images {

	/** Largest size of an image in bytes: readers of mails wait for larger ones. */
	static final int MAX_SIZE = 2 * 1024 * 1024;

	/** Bounds what an account stores, in bytes. */
	static final int MAX_TOTAL = 100 * 1024 * 1024;

	static final int MAX_COUNT = 1000;

	private static final int MAX_NAME_LENGTH = 200;

	private final ImageStore store;

	private final Transactions transactions;

	private final Blobs blobs;

	private final NoArgGenerator ids;

	private final Clock clock;

	Images(ImageStore store, Transactions transactions, Blobs blobs, NoArgGenerator ids, Clock clock) {
		this.store = store;
		this.transactions = transactions;
		this.blobs = blobs;
		this.ids = ids;
		this.clock = clock;
	}

	/**
	 * Stores an image.
	 * @param name the name of its file
	 * @param base64 PNG, JPEG, GIF or WebP, at most 2 MB
	 * @throws dev.mailroom.Refused {@code Invalid request data} or
	 * {@code Email not verified}
	 */
	public Mono<Image> upload(Scope scope, @Nullable String name, @Nullable String base64) {
		return Mono.defer(() -> {
			FieldErrors errors = new FieldErrors();
			String checked = name(errors, name);
			Optional<Picture> picture = picture(errors, base64);
			errors.refuseIfAny();
			return save(scope, checked, picture.orElseThrow());
		});
	}

	private static String name(FieldErrors errors, @Nullable String text) {
		String name = Objects.requireNonNullElse(text, "").strip();
		if (name.isEmpty() || name.length() > MAX_NAME_LENGTH || name.chars().anyMatch(EmailAddress::breaksALine)) {
			errors.add("name", "is required: one line of at most " + MAX_NAME_LENGTH + " characters");
		}
		return name;
	}

	private static Optional<Picture> picture(FieldErrors errors, @Nullable String base64) {
		if (base64 != null && Picture.isLonger(base64, MAX_SIZE)) {
			errors.add("content", "must have at most " + (MAX_SIZE >> 20) + " MB");
			return Optional.empty();
		}
		Optional<Picture> picture = Optional.ofNullable(base64).flatMap(Picture::ofBase64);
		if (picture.isEmpty()) {
			errors.add("content", "must be a PNG, JPEG, GIF or WebP image in Base64");
		}
		return picture;
	}

	private Mono<Image> save(Scope scope, String name, Picture picture) {
		UUID id = this.ids.generate();
		Blob blob = new Blob(name(scope, id), picture.content());
		return this.blobs.save(scope, blob,
				(outside) -> this.store.lockAccount(scope)
					.filter(Boolean::booleanValue)
					.switchIfEmpty(Mono.error(ImageRefusals::emailNotVerified))
					.flatMap((_) -> this.store.insert(scope, id, name, picture, outside, this.clock.instant()))
					.switchIfEmpty(Mono.error(ImageRefusals::full)));
	}

	/** The images of a page, newest first. They are not counted. */
	public Mono<List<Image>> read(Scope scope, Page.Request page) {
		return this.transactions.list(scope, this.store.list(scope, page).collectList());
	}

	/** Sizes of all images of an account in bytes, by their id. */
	public Mono<Map<UUID, Integer>> sizes(Scope scope) {
		return this.transactions.in(scope, this.store.sizes(scope).collectMap(Image::id, Image::size));
	}

	/**
	 * The bytes of an image; empty if it was deleted. They are read from the bucket
	 * outside of a transaction, because that can take seconds.
	 */
	public Mono<Picture> content(Scope scope, UUID id) {
		return this.transactions.in(scope, this.store.content(scope, id))
			.flatMap((row) -> this.blobs.content(row.content(), name(scope, id))
				.map((content) -> new Picture(row.type(), content)));
	}

	/**
	 * Deletes an image. Mails that show it lose it.
	 * @throws dev.mailroom.Refused {@code Not found}
	 */
	public Mono<Void> delete(Scope scope, UUID id) {
		return this.transactions.in(scope, this.store.delete(scope, id))
			.filter((count) -> count > 0)
			.switchIfEmpty(Mono.error(() -> ImageRefusals.missing(id)))
			.then();
	}

	private static Blob.Name name(Scope scope, UUID id) {
		return new Blob.Name(scope.account(), id, "image");
	}

}
