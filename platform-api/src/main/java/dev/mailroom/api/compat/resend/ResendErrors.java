package dev.mailroom.api.compat.resend;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.mailroom.Refusal;
import dev.mailroom.Refused;
import dev.mailroom.api.http.IdempotencyKey;
import dev.mailroom.http.ErrorDialect;

import org.springframework.http.HttpHeaders;
import org.springframework.stereotype.Component;
import org.springframework.web.server.ServerWebExchange;

/** Errors in the words of Resend: its statuses, names and body. */
@Component
class ResendErrors implements ErrorDialect {

	private static final String PATH = "/compat/resend/";

	private static final Set<String> PARAMETERS = Set.of("limit", "after", "before", "origin");

	@Override
	public Optional<Reply> reply(ServerWebExchange exchange, Refused refused) {
		if (!exchange.getRequest().getPath().pathWithinApplication().value().startsWith(PATH)) {
			return Optional.empty();
		}
		ResendError error = error(refused, exchange.getRequest().getHeaders());
		return Optional.of(new Reply(error.statusCode(), error));
	}

	private static ResendError error(Refused refused, HttpHeaders headers) {
		Refusal refusal = refused.refusal();
		int status = refusal.kind().status();
		return switch (refusal.kind()) {
			case INVALID -> invalid(refused, headers);
			case UNAUTHENTICATED ->
				headers.containsHeader(HttpHeaders.AUTHORIZATION) ? new ResendError(403, "invalid_api_key", refused)
						: new ResendError(status, "missing_api_key", refused);
			case FORBIDDEN -> refusal.name().equals("forbidden") ? new ResendError(401, "restricted_api_key", refused)
					: new ResendError(status, "validation_error", refused);
			case NOT_FOUND -> new ResendError(status, "not_found", refused);
			case METHOD_NOT_ALLOWED -> new ResendError(status, "method_not_allowed", refused);
			case CONFLICT -> switch (refusal.name()) {
				case "idempotency_key_reused" -> new ResendError(status, "invalid_idempotent_request", refused);
				case "request_in_progress" -> new ResendError(status, "concurrent_idempotent_requests", refused);
				default -> new ResendError(403, "validation_error", refused);
			};
			case TOO_LARGE, UNSUPPORTED, MISDIRECTED -> new ResendError(status, "validation_error", refused);
			case LIMITED -> new ResendError(status, limit(refused), refused);
			case FAULT, UNAVAILABLE -> new ResendError(status, "application_error", refused);
		};
	}

	private static ResendError invalid(Refused refused, HttpHeaders headers) {
		if (!IdempotencyKey.isUsable(headers)) {
			return new ResendError(400, "invalid_idempotency_key", refused);
		}
		List<Refusal.Detail> details = refused.details();
		String field = details.isEmpty() ? "" : details.getFirst().field();
		String name = "validation_error";
		if (!details.isEmpty() && details.stream().allMatch((detail) -> detail.message().startsWith("is required"))) {
			name = "missing_required_field";
		}
		else if (field.equals("from")) {
			name = "invalid_from_address";
		}
		else if (field.startsWith("attachments")) {
			name = "invalid_attachment";
		}
		else if (PARAMETERS.contains(field)) {
			name = "invalid_parameter";
		}
		return new ResendError(422, name, refused);
	}

	/** The name of a limit. A day's quota is reset within a day. */
	private static String limit(Refused refused) {
		if (refused.refusal().name().equals("rate_limit_exceeded")) {
			return "rate_limit_exceeded";
		}
		Duration delay = (refused.retryAfter() != null) ? refused.retryAfter() : Duration.ZERO;
		return (delay.compareTo(Duration.ofDays(1)) > 0) ? "monthly_quota_exceeded" : "daily_quota_exceeded";
	}

	/** The body of an error. */
	private record ResendError(@JsonProperty("statusCode") int statusCode, String name, String message) {

		ResendError(int statusCode, String name, Refused refused) {
			this(statusCode, name, refused.message());
		}

	}

}
