package dev.mailroom.worker.feedback;

import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/** Answers that a person's program writes (RFC 3834): they say that the mail arrived. */
final class AutoReply {

	private static final List<String> MARKS = List.of("x-autoreply", "x-autorespond", "x-autoresponder", "x-vacation",
			"list-id");

	private static final Set<String> PRECEDENCES = Set.of("auto_reply", "list");

	private static final Pattern SUBJECT = Pattern
		.compile("(?i)^\\s*(out of (the )?office|auto(matic|matische)?[ -]?(reply|response|antwort)|vacation|away\\b"
				+ "|abwesen|absence|réponse automatique|respuesta automática|risposta automatica)");

	private AutoReply() {
	}

	static boolean is(ReportFields header) {
		return MARKS.stream().anyMatch(header::has) || PRECEDENCES.contains(header.word("precedence"))
				|| SUBJECT.matcher(header.get("subject")).find();
	}

}
