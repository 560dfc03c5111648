package dev.mailroom.accept;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.UUID;

import com.fasterxml.uuid.NoArgGenerator;
import dev.mailroom.Refused;
import dev.mailroom.blob.Blob;
import dev.mailroom.blob.Blobs;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;

/**
 * Puts what is large in a request's mails into the bucket, before anything of them is
 * committed. A request without anything large, or without a bucket, goes on untouched.
 */
@Component
public class ContentUpload {

	private static final Logger log = LoggerFactory.getLogger(ContentUpload.class);

	private final Blobs blobs;

	private final NoArgGenerator ids;

	ContentUpload(Blobs blobs, NoArgGenerator ids) {
		this.blobs = blobs;
		this.ids = ids;
	}

	/** Whether a request has anything to put away. */
	public boolean takes(SendRequest request) {
		return this.blobs.hasBucket() && request.mails().stream().anyMatch(this::isLarge);
	}

	/**
	 * The request with its mails lighter.
	 * @throws Refused {@code Service unavailable}
	 */
	public Mono<SendRequest> stow(SendRequest request) {
		return Flux.fromIterable(request.mails())
			.concatMap((mail) -> stow(request, mail))
			.collectList()
			.map((mails) -> new SendRequest(request.scope(), mails, request.batch(), request.claim(), request.answer()))
			.onErrorMap((error) -> !(error instanceof Refused), ContentUpload::unavailable);
	}

	private boolean isLarge(CheckedMail mail) {
		return mail instanceof CheckedMail.Fit fit && (isLarge(fit.draft().html()) || isLarge(fit.draft().text())
				|| fit.draft().attachments().stream().anyMatch(this::isLarge));
	}

	private boolean isLarge(@Nullable String text) {
		return text != null && this.blobs.isOutside(text.length());
	}

	/** Base64 says four for three. */
	private boolean isLarge(Draft.File file) {
		return this.blobs.isOutside(file.content().length() / 4 * 3L);
	}

	private Mono<CheckedMail> stow(SendRequest request, CheckedMail mail) {
		if (!(mail instanceof CheckedMail.Fit(var draft, var _)) || !isLarge(mail)) {
			return Mono.just(mail);
		}
		UUID id = this.ids.generate();
		List<Blob> large = new ArrayList<>();
		String html = lighter(request, id, "html", draft.html(), large);
		String text = lighter(request, id, "text", draft.text(), large);
		List<Draft.File> files = new ArrayList<>();
		for (int i = 0; i < draft.attachments().size(); i++) {
			files.add(lighter(request, id, i, draft.attachments().get(i), large));
		}
		Draft light = new Draft(draft.from(), draft.to(), draft.cc(), draft.bcc(), draft.replyTo(), draft.subject(),
				html, text, files, draft.tags(), draft.headers(), draft.sendAt(), draft.openTracking(),
				draft.clickTracking(), draft.contactId());
		UploadedContent stowed = new UploadedContent(id, large.stream().map((blob) -> blob.name().part()).toList());
		return this.blobs.put(request.scope(), large).thenReturn(new CheckedMail.Fit(light, stowed));
	}

	private @Nullable String lighter(SendRequest request, UUID id, String part, @Nullable String text,
			List<Blob> large) {
		if (text == null || !isLarge(text)) {
			return text;
		}
		large.add(new Blob(new Blob.Name(request.accountId(), id, part), text.getBytes(StandardCharsets.UTF_8)));
		return null;
	}

	private Draft.File lighter(SendRequest request, UUID id, int place, Draft.File file, List<Blob> large) {
		if (!isLarge(file)) {
			return file;
		}
		large.add(new Blob(new Blob.Name(request.accountId(), id, Integer.toString(place)),
				Base64.getMimeDecoder().decode(file.content())));
		return new Draft.File(file.filename(), file.contentType(), file.contentId(), "");
	}

	private static Refused unavailable(Throwable error) {
		log.warn("A mail's large content could not be put into the bucket: {}", error.toString());
		return EmailRefusals.BUSY.because(
				"The mail's large content could not be stored; nothing of this request was kept, try again shortly");
	}

}
