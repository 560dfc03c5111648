package dev.mailroom.worker.inbound;

import java.util.List;
import java.util.Locale;
import java.util.Objects;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.netty.buffer.Unpooled;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.netty.http.client.HttpClient;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.stereotype.Component;

/** Asks Rspamd, where there is one, what it would do with a mail. */
@Component
class Rspamd {

	private static final List<String> REFUSED = List.of("reject", "discard", "quarantine");

	private static final int OK = 200;

	private final InboundSettings settings;

	private final JsonMapper json;

	private final HttpClient http;

	Rspamd(InboundSettings settings, JsonMapper json) {
		this.settings = settings;
		this.json = json;
		this.http = HttpClient.create().responseTimeout(settings.scanTimeout());
	}

	/**
	 * What it says of a mail; an error where it does not answer.
	 * @param recipients of the envelope
	 */
	Mono<CheckResult> check(IncomingMail mail, List<String> recipients) {
		if (this.settings.rspamdUrl().isBlank()) {
			return Mono.just(CheckResult.DISABLED);
		}
		return this.http.headers((headers) -> {
			headers.set("IP", mail.client().getHostAddress());
			headers.set("Helo", mail.helo());
			headers.set("From", mail.sender());
			headers.set("Rcpt", recipients);
			if (!this.settings.rspamdPassword().isEmpty()) {
				headers.set("Password", this.settings.rspamdPassword());
			}
		})
			.post()
			.uri(this.settings.rspamdUrl().replaceAll("/+$", "") + "/checkv2")
			.send(Mono.fromSupplier(() -> Unpooled.wrappedBuffer(mail.raw())))
			.responseSingle((response, body) -> (response.status().code() == OK) ? body.asString()
					: Mono.error(new IllegalStateException("Rspamd answered " + response.status())))
			.map((answer) -> verdict(this.json.readValue(answer, Answer.class)));
	}

	/** It may skip the rest of its checks where one alone is enough to refuse a mail. */
	private static CheckResult verdict(Answer answer) {
		String action = Objects.requireNonNullElse(answer.action(), "").toLowerCase(Locale.ROOT);
		return switch (action) {
			case "" -> CheckResult.PROCESSING_FAILED;
			case "no action" ->
				Boolean.TRUE.equals(answer.skipped()) ? CheckResult.PROCESSING_FAILED : CheckResult.PASS;
			default -> REFUSED.contains(action) ? CheckResult.FAIL : CheckResult.GRAY;
		};
	}

	/**
	 * The part of its answer that is read.
	 *
	 * @param action what it would do
	 * @param skipped whether it did not look at all there is
	 */
	record Answer(@Nullable String action, @JsonProperty("is_skipped") @Nullable Boolean skipped) {
	}

}
