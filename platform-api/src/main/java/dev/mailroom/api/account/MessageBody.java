package dev.mailroom.api.account;

import java.util.Map;

import dev.mailroom.api.http.Success;

/** Response body with a message as its only data. */
final class MessageBody {

	private MessageBody() {
	}

	static Success of(String message) {
		return Success.data(Map.of("message", message)).withMessage(message);
	}

}
