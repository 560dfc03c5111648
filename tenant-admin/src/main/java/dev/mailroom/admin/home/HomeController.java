package dev.mailroom.admin.home;

import java.time.Duration;

import dev.mailroom.schema.SchemaVersion;
import reactor.core.publisher.Mono;

import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.util.HtmlUtils;

/** Shows the app's name and the state of the database at the root of the admin port. */
@RestController
class HomeController {

	private static final Duration DATABASE_TIMEOUT = Duration.ofSeconds(2);

	private final SchemaVersion version;

	HomeController(SchemaVersion version) {
		this.version = version;
	}

	@GetMapping(path = "/", produces = MediaType.TEXT_HTML_VALUE + ";charset=UTF-8")
	Mono<String> home() {
		return this.version.state()
			.timeout(DATABASE_TIMEOUT)
			.map(HomeController::state)
			.onErrorReturn("The database is not available.")
			.map(HomeController::page);
	}

	private static String state(SchemaVersion.State schema) {
		return schema.older()
				? "The database is available, but its schema has version " + schema.installed()
						+ " and this release requires version " + schema.needed() + ": run the migrations."
				: "The database is available and its schema has version " + schema.installed() + ".";
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
				<p>This is the admin port for tenants and operators. The app is running.</p>
				<p>%s</p>
				</main>
				</body>
				</html>
				""".formatted(HtmlUtils.htmlEscape(state, "UTF-8"));
	}

}
