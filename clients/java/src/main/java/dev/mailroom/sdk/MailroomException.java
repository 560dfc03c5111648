package dev.mailroom.sdk;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/** A failed call. Its nested types group the errors of the API. */
public class MailroomException extends RuntimeException {

	private static final long serialVersionUID = 1;

	private final transient Failure failure;

	MailroomException(Failure failure) {
		super(failure.message(), failure.cause());
		this.failure = failure;
	}

	/** The exception of a response. */
	static MailroomException of(Failure failure) {
		return switch (failure.status()) {
			case 401 -> new Unauthenticated(failure);
			case 403 ->
				failure.name().equals(ErrorNames.FORBIDDEN) ? new PermissionDenied(failure) : new Refused(failure);
			case 404 -> new NotFound(failure);
			case 409 -> new Conflict(failure);
			case 429 -> failure.name().equals(ErrorNames.DAILY_MONTHLY_LIMIT_REACHED) ? new QuotaExceeded(failure)
					: new RateLimited(failure);
			default -> (failure.status() >= 500) ? new ServerFailure(failure) : new InvalidRequest(failure);
		};
	}

	/** Returns the name of the error, see {@link ErrorNames}. */
	public String name() {
		return this.failure.name();
	}

	/** Returns the HTTP status; 0 without a response. */
	public int statusCode() {
		return this.failure.status();
	}

	/** Returns the fields that were refused. */
	public List<FieldError> details() {
		return this.failure.details();
	}

	/** Returns the id of the last attempt, which is in the server's log. */
	public String requestId() {
		return this.failure.requestId();
	}

	/** Returns the address of a page that explains the error. */
	public Optional<String> docsUrl() {
		return Optional.ofNullable(this.failure.docsUrl());
	}

	/** Returns the time after which the call may be repeated. */
	public Optional<Duration> retryAfter() {
		return Optional.ofNullable(this.failure.retryAfter());
	}

	/** Returns the key with which the call can be repeated safely. */
	public Optional<String> idempotencyKey() {
		return Optional.ofNullable(this.failure.idempotencyKey());
	}

	/** Returns the number of requests that were sent. */
	public int attempts() {
		return this.failure.attempts();
	}

	/** Returns the headers of the last response, with names in lower case. */
	public Map<String, List<String>> headers() {
		return this.failure.headers();
	}

	/** A field that the API refused: its path in the body, and why. */
	public record FieldError(String field, String message) {

		static FieldError of(JsonObject json) {
			return new FieldError(json.text("field"), json.text("message"));
		}

	}

	/** Properties of a failure. */
	record Failure(String name, int status, String message, List<FieldError> details, String requestId,
			@Nullable String docsUrl, @Nullable Duration retryAfter, @Nullable String idempotencyKey, int attempts,
			Map<String, List<String>> headers, @Nullable Throwable cause) {
	}

	/**
	 * 400, 413, 415: the request is malformed, or the state of the resource forbids it.
	 */
	public static final class InvalidRequest extends MailroomException {

		private static final long serialVersionUID = 1;

		InvalidRequest(Failure failure) {
			super(failure);
		}

	}

	/** 401: the API key is missing, unknown, revoked or expired. */
	public static final class Unauthenticated extends MailroomException {

		private static final long serialVersionUID = 1;

		Unauthenticated(Failure failure) {
			super(failure);
		}

	}

	/** 403 {@code forbidden}: the API key lacks a permission, or is of the wrong kind. */
	public static final class PermissionDenied extends MailroomException {

		private static final long serialVersionUID = 1;

		private static final Pattern SCOPE = Pattern.compile("scope=\"([^\"]+)\"");

		PermissionDenied(Failure failure) {
			super(failure);
		}

		/** Returns the permission that the operation needs, if the server named it. */
		public Optional<String> requiredPermission() {
			Matcher matcher = SCOPE.matcher(String.join(",", headers().getOrDefault("www-authenticate", List.of())));
			return matcher.find() ? Optional.of(matcher.group(1)) : Optional.empty();
		}

	}

	/** Any other 403: a rule of the account, the domain or the plan. */
	public static final class Refused extends MailroomException {

		private static final long serialVersionUID = 1;

		Refused(Failure failure) {
			super(failure);
		}

	}

	/** 404. */
	public static final class NotFound extends MailroomException {

		private static final long serialVersionUID = 1;

		NotFound(Failure failure) {
			super(failure);
		}

	}

	/** 409. */
	public static final class Conflict extends MailroomException {

		private static final long serialVersionUID = 1;

		Conflict(Failure failure) {
			super(failure);
		}

	}

	/** 429: too many requests in a short time. */
	public static final class RateLimited extends MailroomException {

		private static final long serialVersionUID = 1;

		RateLimited(Failure failure) {
			super(failure);
		}

	}

	/** 429: the daily or monthly quota is used up. */
	public static final class QuotaExceeded extends MailroomException {

		private static final long serialVersionUID = 1;

		QuotaExceeded(Failure failure) {
			super(failure);
		}

	}

	/** 5xx. */
	public static final class ServerFailure extends MailroomException {

		private static final long serialVersionUID = 1;

		ServerFailure(Failure failure) {
			super(failure);
		}

	}

	/** There was no response: no connection, a broken one, or none in time. */
	public static final class ConnectionFailure extends MailroomException {

		private static final long serialVersionUID = 1;

		ConnectionFailure(Failure failure) {
			super(failure);
		}

	}

}
