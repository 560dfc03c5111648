package dev.mailroom.worker.smtp.server;

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

/** Spam check by Rspamd. */
@Component
class Rspamd {

	private static final List<String> REFUSED = List.of("reject", "discard", "quarantine");

	private static final int OK = 200;

	private final ScannerSettings settings;

	private final JsonMapper json;

	private final HttpClient http;

	Rspamd(ScannerSettings settings, JsonMapper json) {
		this.settings = settings;
		this.json = json;
		this.http = HttpClient.create().responseTimeout(settings.scanTimeout());
	}

	/**
	 * Checks a mail; an error if Rspamd does not answer.
	 * @param recipients recipients of the envelope
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
			.map((body) -> result(this.json.readValue(body, Response.class)));
	}

	/**
	 * Maps Rspamd's action. "No action" with skipped checks is no result; a refusal is
	 * one, because Rspamd skips further checks once a mail is to be refused.
	 */
	private static CheckResult result(Response response) {
		String action = Objects.requireNonNullElse(response.action(), "").toLowerCase(Locale.ROOT);
		return switch (action) {
			case "" -> CheckResult.PROCESSING_FAILED;
			case "no action" ->
				Boolean.TRUE.equals(response.skipped()) ? CheckResult.PROCESSING_FAILED : CheckResult.PASS;
			default -> REFUSED.contains(action) ? CheckResult.FAIL : CheckResult.GRAY;
		};
	}

	/**
	 * Fields read from Rspamd's response.
	 *
	 * @param action recommended action
	 * @param skipped whether checks were skipped
	 */
	record Response(@Nullable String action, @JsonProperty("is_skipped") @Nullable Boolean skipped) {
	}

}
