package dev.mailroom.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** Texts that are generated from the model of the commands. */
class ManualTest {

	@TempDir
	private Path folder;

	@Test
	void theReferenceOfTheDocumentationIsThatOfTheCommands() throws IOException {
		String page = Files.readString(Path.of("../../docs/cli.md"));
		String written = page.substring(page.indexOf("## Reference\n") + "## Reference\n".length());
		assertThat(written).as("copy target/manual/reference.md to the end of docs/cli.md")
			.isEqualTo(Manual.markdown(Manual.root()));
	}

	@Test
	void theManualPageHasEveryCommandAndItsOptions() throws IOException {
		Manual.main(this.folder.toString(), "0.1.0");
		String page = Files.readString(this.folder.resolve("man/man1/mailroom.1"));
		Manual.leaves(Manual.root().getCommandSpec())
			.forEach((command) -> assertThat(page).contains(".SS \"" + command.qualifiedName() + "\""));
		assertThat(page).contains(".B \\-\\-forward\\-to=URL");
	}

	@ParameterizedTest
	@ValueSource(strings = { "bash", "zsh", "fish" })
	void shellsCompleteCommandsAndOptions(String shell) throws Exception {
		Manual.main(this.folder.toString(), "0.1.0");
		String script = this.folder.resolve("completion/mailroom." + shell).toString();
		String words = "COMP_WORDS=(mailroom domains ''); COMP_CWORD=2; _complete_mailroom; print ${COMPREPLY[@]}; "
				+ "COMP_WORDS=(mailroom domains verify --w); COMP_CWORD=3; _complete_mailroom; print ${COMPREPLY[@]}";
		String ask = "source " + script + "; " + switch (shell) {
			case "bash" -> words.replace("print", "echo");
			case "zsh" -> "setopt ksharrays shwordsplit; " + words.replace("print", "print --");
			default -> "complete -C 'mailroom domains '; complete -C 'mailroom domains verify --w'";
		};
		assumeTrue(isInstalled(shell), shell + " is not installed");
		assertThat(run(shell, "-c", ask)).contains("verify", "--wait");
	}

	private static boolean isInstalled(String shell) throws IOException, InterruptedException {
		return new ProcessBuilder("sh", "-c", "command -v " + shell).start().waitFor() == 0;
	}

	private static String run(String... command) throws IOException, InterruptedException {
		Process process = new ProcessBuilder(List.of(command)).redirectErrorStream(true).start();
		try (OutputStream out = process.getOutputStream(); InputStream in = process.getInputStream()) {
			out.close();
			String output = new String(in.readAllBytes(), StandardCharsets.UTF_8);
			assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
			return output;
		}
	}

}
