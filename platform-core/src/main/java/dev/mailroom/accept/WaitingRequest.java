package dev.mailroom.accept;

import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/** A request that waits for its commit, and whoever waits for its outcome. */
record WaitingRequest(SendRequest request, long bytes, Sinks.One<SendResult> outcome) {

	static WaitingRequest of(SendRequest request) {
		return new WaitingRequest(request, request.size(), Sinks.one());
	}

	int mails() {
		return Math.max(1, this.request.mails().size());
	}

	Mono<SendResult> reception() {
		return this.outcome.asMono();
	}

	void received(SendResult reception) {
		this.outcome.tryEmitValue(reception);
	}

	void refused(Throwable reason) {
		this.outcome.tryEmitError(reason);
	}

}
