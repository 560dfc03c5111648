package dev.mailroom.spring;

import java.util.List;
import java.util.function.Function;

import dev.mailroom.sdk.WebhookCalls;
import dev.mailroom.sdk.WebhookEvent;
import dev.mailroom.sdk.WebhookException;
import org.jspecify.annotations.Nullable;

import org.springframework.core.MethodParameter;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.web.server.ResponseStatusException;

/** Verification for the resolvers of {@link VerifiedWebhook} in MVC and WebFlux. */
record WebhookArguments(List<String> secrets) {

	/** Bytes of a body; those of Mailroom are far below. */
	static final int MAX_BYTES = 1024 * 1024;

	boolean supports(MethodParameter parameter) {
		return parameter.hasParameterAnnotation(VerifiedWebhook.class)
				&& parameter.getParameterType() == WebhookEvent.class;
	}

	WebhookEvent verify(byte[] body, Function<String, @Nullable String> header) {
		if (this.secrets.isEmpty()) {
			throw new IllegalStateException("There is no secret: set mailroom.webhook-secrets");
		}
		if (body.length > MAX_BYTES) {
			throw new ResponseStatusException(HttpStatusCode.valueOf(413));
		}
		try {
			return WebhookCalls.of(this.secrets.toArray(String[]::new)).verify(body, header);
		}
		catch (WebhookException ex) {
			throw new ResponseStatusException(HttpStatus.UNAUTHORIZED, ex.getMessage(), ex);
		}
	}

}
