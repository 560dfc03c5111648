package dev.mailroom.email;

import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/** A request that waits for its commit, and whoever waits for its outcome. */
record Pending(Request request, long bytes, Sinks.One<Reception> outcome) {

	static Pending of(Request request) {
		return new Pending(request, request.size(), Sinks.one());
	}

	int mails() {
		return Math.max(1, this.request.mails().size());
	}

	Mono<Reception> reception() {
		return this.outcome.asMono();
	}

	void received(Reception reception) {
		this.outcome.tryEmitValue(reception);
	}

	void refused(Throwable reason) {
		this.outcome.tryEmitError(reason);
	}

}
