package dev.mailroom.api.http;

import java.util.List;
import java.util.Objects;

import dev.mailroom.Refusal;
import dev.mailroom.Refused;
import dev.mailroom.http.ErrorConversion;
import dev.mailroom.http.Faults;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.core.exc.StreamReadException;

import org.springframework.beans.TypeMismatchException;
import org.springframework.core.MethodParameter;
import org.springframework.core.io.buffer.DataBufferLimitException;
import org.springframework.http.HttpMethod;
import org.springframework.http.MediaType;
import org.springframework.stereotype.Component;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.server.MethodNotAllowedException;
import org.springframework.web.server.MissingRequestValueException;
import org.springframework.web.server.ResponseStatusException;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.ServerWebInputException;
import org.springframework.web.server.UnsupportedMediaTypeStatusException;

/** Conversion of the framework's exceptions to the refusals of the contract. */
@Component
class Refusals implements ErrorConversion {

	private static final Refusal NOT_FOUND = Refusal.notFound("Not found");

	private static final Refusal METHOD = new Refusal(Refusal.Kind.METHOD_NOT_ALLOWED, "Method not allowed");

	private static final Refusal TOO_LARGE = new Refusal(Refusal.Kind.TOO_LARGE, "Payload too large");

	private static final Refusal MEDIA_TYPE = new Refusal(Refusal.Kind.UNSUPPORTED, "Unsupported media type");

	@Override
	public Refused convert(ServerWebExchange exchange, Throwable error) {
		for (Throwable cause = error; cause != null; cause = cause.getCause()) {
			@Nullable Refused refused = known(exchange, cause);
			if (refused != null) {
				return refused;
			}
		}
		if (error instanceof ResponseStatusException status && status.getStatusCode().is4xxClientError()) {
			return invalid(exchange).because("The request is malformed: check its path, query and body");
		}
		return Faults.unexpected();
	}

	private static @Nullable Refused known(ServerWebExchange exchange, Throwable error) {
		if (error instanceof DataBufferLimitException) {
			return TOO_LARGE.because("A request may have at most 25 MB");
		}
		if (error instanceof JacksonException malformed) {
			return badJson(exchange, malformed);
		}
		if (error instanceof ResponseStatusException status) {
			return byStatus(exchange, status);
		}
		return Faults.known(error);
	}

	private static @Nullable Refused byStatus(ServerWebExchange exchange, ResponseStatusException error) {
		return switch (error.getStatusCode().value()) {
			case 404 -> NOT_FOUND.because("There is no " + exchange.getRequest().getPath().value());
			case 405 -> notAllowed(exchange, error);
			case 413 -> TOO_LARGE.because("A request may have at most 25 MB");
			case 415 -> MEDIA_TYPE.because("Send the body as " + readable(error));
			case 406 ->
				invalid(exchange).because("Responses are application/json: send an Accept header that includes it");
			case 400 -> badInput(exchange, error);
			default -> null;
		};
	}

	private static String readable(ResponseStatusException error) {
		if (error instanceof UnsupportedMediaTypeStatusException type && type.getSupportedMediaTypes().size() == 1) {
			return type.getSupportedMediaTypes().getFirst().toString();
		}
		return MediaType.APPLICATION_JSON_VALUE;
	}

	private static Refused notAllowed(ServerWebExchange exchange, ResponseStatusException error) {
		if (error instanceof MethodNotAllowedException method && !method.getSupportedMethods().isEmpty()) {
			List<String> allowed = method.getSupportedMethods().stream().map(HttpMethod::name).sorted().toList();
			exchange.getResponse().getHeaders().set("Allow", String.join(", ", allowed));
			return METHOD.because("This path supports " + String.join(", ", allowed));
		}
		return METHOD.because("This path does not support " + exchange.getRequest().getMethod());
	}

	/** Refuses a missing body and missing or invalid parameters. */
	private static @Nullable Refused badInput(ServerWebExchange exchange, ResponseStatusException error) {
		if (error instanceof MissingRequestValueException missing) {
			return badField(exchange, missing.getName(), "is missing");
		}
		if (error instanceof ServerWebInputException input && input.getCause() instanceof TypeMismatchException) {
			return badField(exchange, parameter(input), "has the wrong type");
		}
		if (error instanceof ServerWebInputException input && input.getCause() == null) {
			@Nullable String reason = input.getReason();
			boolean noBody = reason != null && reason.contains("body");
			return invalid(exchange).because(noBody ? "The request needs a JSON body" : "A parameter is missing");
		}
		return null;
	}

	/** The name of the parameter in the request. */
	private static String parameter(ServerWebInputException error) {
		@Nullable MethodParameter parameter = error.getMethodParameter();
		if (parameter == null) {
			return "request";
		}
		@Nullable RequestParam named = parameter.getParameterAnnotation(RequestParam.class);
		if (named != null && !named.name().isEmpty()) {
			return named.name();
		}
		return Objects.requireNonNullElse(parameter.getParameter().getName(), "request");
	}

	private static Refused badField(ServerWebExchange exchange, String field, String message) {
		return invalid(exchange).field(field, message);
	}

	private static Refused badJson(ServerWebExchange exchange, JacksonException error) {
		if (error instanceof StreamConstraintsException) {
			return invalid(exchange)
				.because("The body is nested too deeply, or has too many values or one that is too long");
		}
		if (error instanceof StreamReadException) {
			return invalid(exchange).because("The body is not valid JSON in UTF-8");
		}
		return badField(exchange, BadField.of(error), "has the wrong type");
	}

	private static Refusal invalid(ServerWebExchange exchange) {
		return InvalidRequest.on(exchange.getRequest());
	}

}
