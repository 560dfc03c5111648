package dev.mailroom.email;

import reactor.core.publisher.Mono;

import org.springframework.stereotype.Service;

/** Mails, from their acceptance to what their sender sees of them. */
@Service
public class Emails {

	private final Committer committer;

	Emails(Committer committer) {
		this.committer = committer;
	}

	/**
	 * Accepts a request to send. What it says is accepted is durable.
	 * @throws dev.mailroom.Refused as the contract's rows of POST /emails have it
	 */
	public Mono<Reception> accept(Request request) {
		return this.committer.submit(request);
	}

}
