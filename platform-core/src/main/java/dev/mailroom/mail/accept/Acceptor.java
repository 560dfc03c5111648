package dev.mailroom.mail.accept;

import dev.mailroom.Refused;
import dev.mailroom.mail.draft.EmailRefusals;
import reactor.core.publisher.Mono;

import org.springframework.stereotype.Service;

/**
 * Accepts requests to send: uploads large content to the bucket, if there is one, and
 * then commits the request's rows together with those of other requests.
 */
@Service
public class Acceptor {

	private final ContentUpload upload;

	private final Committer committer;

	Acceptor(ContentUpload upload, Committer committer) {
		this.upload = upload;
		this.committer = committer;
	}

	/**
	 * Accepts a request. The result is emitted after the commit.
	 * @throws dev.mailroom.Refused one of {@link EmailRefusals},
	 * {@code Daily/monthly limit reached} or an error of the Idempotency-Key
	 */
	public Mono<SendResult> accept(SendRequest request) {
		return this.upload.isNeeded(request) ? this.upload.upload(request).flatMap(this.committer::submit)
				: this.committer.submit(request);
	}

	/**
	 * Whether every loop that commits requests runs; otherwise the app must be restarted.
	 */
	public boolean isAlive() {
		return this.committer.isAlive();
	}

}
