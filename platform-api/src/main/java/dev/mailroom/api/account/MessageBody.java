package dev.mailroom.api.account;

import java.util.Map;

import dev.mailroom.api.http.Success;

/** An answer that is no more than a sentence. */
final class MessageBody {

	private MessageBody() {
	}

	static Success of(String sentence) {
		return Success.data(Map.of("message", sentence)).saying(sentence);
	}

}
