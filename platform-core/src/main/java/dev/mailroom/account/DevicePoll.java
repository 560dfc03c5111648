package dev.mailroom.account;

/** Result of a poll: a state, and the key if it is handed out. */
public sealed interface DevicePoll {

	/** The person has not answered. */
	record Pending() implements DevicePoll {
	}

	/** The person has not answered, and the poll came too early. */
	record TooEarly() implements DevicePoll {
	}

	/** No answer came in time. */
	record Expired() implements DevicePoll {
	}

	/** The person refused, or may no longer create the key. */
	record Denied() implements DevicePoll {
	}

	/** The code is unknown, of another program, or was used. */
	record Unknown() implements DevicePoll {
	}

	/** The key, which exists since this poll. */
	record Granted(ApiKey.Issued issued) implements DevicePoll {
	}

}
