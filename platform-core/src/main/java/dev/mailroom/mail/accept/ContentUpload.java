package dev.mailroom.mail.accept;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.UUID;

import com.fasterxml.uuid.NoArgGenerator;
import dev.mailroom.Refused;
import dev.mailroom.blob.Blob;
import dev.mailroom.blob.Blobs;
import dev.mailroom.mail.draft.EmailRefusals;
import dev.mailroom.mail.draft.MailContent;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Component;
import org.springframework.stereotype.Service;

/** Stores large parts of mails in the bucket before the mails' rows are committed. */
@Component
class ContentUpload {

	private static final Logger log = LoggerFactory.getLogger(ContentUpload.class);

	private final Blobs blobs;

	private final NoArgGenerator ids;

	ContentUpload(Blobs blobs, NoArgGenerator ids) {
		this.blobs = blobs;
		this.ids = ids;
	}

	/** Whether there is a bucket and a part of the request is large enough for it. */
	boolean isNeeded(SendRequest request) {
		return this.blobs.hasBucket() && request.mails().stream().anyMatch(this::isLarge);
	}

	/**
	 * Uploads the large parts.
	 * @return the request without them
	 * @throws Refused {@code Service unavailable}
	 */
	Mono<SendRequest> upload(SendRequest request) {
		return Flux.fromIterable(request.mails())
			.concatMap((mail) -> upload(request, mail))
			.collectList()
			.map(request::with)
			.onErrorMap((error) -> !(error instanceof Refused), ContentUpload::unavailable);
	}

	private boolean isLarge(MailCheck mail) {
		return switch (mail) {
			case MailCheck.Valid valid -> isLarge(valid.mail().content());
			case MailCheck.Invalid _ -> false;
		};
	}

	private boolean isLarge(MailContent content) {
		return isLarge(content.html()) || isLarge(content.text())
				|| content.attachments().stream().anyMatch(this::isLarge);
	}

	private boolean isLarge(@Nullable String text) {
		return text != null && this.blobs.isOutside(text.length());
	}

	/** Base64 has four characters for three bytes. */
	private boolean isLarge(MailContent.Attachment file) {
		return this.blobs.isOutside(file.content().length() / 4 * 3L);
	}

	private Mono<MailCheck> upload(SendRequest request, MailCheck mail) {
		if (!(mail instanceof MailCheck.Valid(var checked, var _)) || !isLarge(mail)) {
			return Mono.just(mail);
		}
		UUID emailId = this.ids.generate();
		Parts parts = new Parts(request.accountId(), emailId);
		MailContent rest = parts.extract(checked.content());
		MailCheck.Uploaded uploaded = new MailCheck.Uploaded(emailId,
				parts.blobs().stream().map((blob) -> blob.name().part()).toList());
		return this.blobs.put(request.scope(), parts.blobs())
			.thenReturn(new MailCheck.Valid(checked.with(rest), uploaded));
	}

	private static Refused unavailable(Throwable error) {
		log.warn("Large content of a mail could not be stored in the bucket: {}", error.toString());
		return EmailRefusals.BUSY.because(
				"The mail's large content could not be stored; nothing of this request was stored, try again shortly");
	}

	/** Large parts of one mail. */
	private final class Parts {

		private final UUID accountId;

		private final UUID emailId;

		private final List<Blob> blobs = new ArrayList<>();

		Parts(UUID accountId, UUID emailId) {
			this.accountId = accountId;
			this.emailId = emailId;
		}

		List<Blob> blobs() {
			return this.blobs;
		}

		/** Collects the large parts and returns the content without them. */
		MailContent extract(MailContent content) {
			@Nullable String html = extract("html", content.html());
			@Nullable String text = extract("text", content.text());
			List<MailContent.Attachment> files = new ArrayList<>();
			for (MailContent.Attachment file : content.attachments()) {
				files.add(extract(files.size(), file));
			}
			return content.withBody(content.subject(), html, text).withAttachments(files);
		}

		private @Nullable String extract(String part, @Nullable String text) {
			if (text == null || !isLarge(text)) {
				return text;
			}
			add(part, text.getBytes(StandardCharsets.UTF_8));
			return null;
		}

		private MailContent.Attachment extract(int position, MailContent.Attachment file) {
			if (!isLarge(file)) {
				return file;
			}
			add(Integer.toString(position), Base64.getMimeDecoder().decode(file.content()));
			return new MailContent.Attachment(file.filename(), file.contentType(), file.contentId(), "");
		}

		private void add(String part, byte[] content) {
			this.blobs.add(new Blob(new Blob.Name(this.accountId, this.emailId, part), content));
		}

	}

}
