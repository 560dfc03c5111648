package dev.mailroom.admin.home;

import java.time.Duration;

import dev.mailroom.schema.SchemaVersion;
import reactor.core.publisher.Mono;

import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.util.HtmlUtils;

/** Tells whoever opens the admin port what it is and whether it can work. */
@RestController
class HomeController {

	private static final Duration PATIENCE = Duration.ofSeconds(2);

	private final SchemaVersion version;

	HomeController(SchemaVersion version) {
		this.version = version;
	}

	@GetMapping(path = "/", produces = MediaType.TEXT_HTML_VALUE + ";charset=UTF-8")
	Mono<String> home() {
		return this.version.standing()
			.timeout(PATIENCE)
			.map(HomeController::state)
			.onErrorReturn("The database does not answer.")
			.map(HomeController::page);
	}

	private static String state(SchemaVersion.Standing standing) {
		return standing.older()
				? "The database answers, but its schema has version " + standing.installed()
						+ " and this release needs " + standing.needed() + ": run its migrations."
				: "The database answers, and its schema has version " + standing.installed() + ".";
	}

	private static String page(String state) {
		return """
				<!doctype html>
				<html lang="en">
				<head>
				<meta charset="utf-8">
				<meta name="viewport" content="width=device-width, initial-scale=1">
				<title>Mailroom admin</title>
				</head>
				<body>
				<main>
				<h1>Mailroom admin</h1>
				<p>This is the port for tenants' people and for operators. The app runs.</p>
				<p>%s</p>
				</main>
				</body>
				</html>
				""".formatted(HtmlUtils.htmlEscape(state, "UTF-8"));
	}

}
