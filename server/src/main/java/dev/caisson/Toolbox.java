package dev.caisson;

import dev.caisson.broker.Broker;
import dev.caisson.broker.Tool;
import dev.caisson.broker.ToolSpec;
import dev.caisson.call.Caller;
import dev.caisson.call.KeyedDigest;
import dev.caisson.call.NearName;
import dev.caisson.call.Reason;
import dev.caisson.call.Refusal;
import dev.caisson.config.Version;
import dev.caisson.devtools.Edit;
import dev.caisson.devtools.FileGlob;
import dev.caisson.devtools.FileGrep;
import dev.caisson.devtools.Patch;
import dev.caisson.devtools.Read;
import dev.caisson.devtools.ThreadFiles;
import dev.caisson.devtools.Write;
import dev.caisson.door.Doors;
import dev.caisson.executions.AttemptCounter;
import dev.caisson.executions.ExecutionRecords;
import dev.caisson.runs.OwnRuns;
import dev.caisson.runs.RunOffer;
import dev.caisson.runs.RunOutput;
import dev.caisson.runs.RunProfiles;
import dev.caisson.runs.RunService;
import dev.caisson.share.Workers;
import dev.caisson.storage.FileService;
import dev.caisson.storage.WalkBounds;
import dev.caisson.storage.WorkspaceFiles;
import dev.caisson.stubs.Learned;
import dev.caisson.tools.ExecutionCancel;
import dev.caisson.tools.ExecutionWait;
import dev.caisson.tools.ExecutionsList;
import dev.caisson.tools.FilesDelete;
import dev.caisson.tools.FilesDownload;
import dev.caisson.tools.FilesList;
import dev.caisson.tools.FilesUpload;
import dev.caisson.tools.Instructions;
import dev.caisson.tools.ListRunners;
import dev.caisson.tools.OutputRead;
import dev.caisson.tools.RunCode;
import dev.caisson.tools.SandboxExecute;
import dev.caisson.tools.SessionReset;
import dev.caisson.tools.SessionsList;
import dev.caisson.tools.ToolCall;
import dev.caisson.tools.ToolDescribe;
import dev.caisson.tools.ToolSearch;
import java.time.Clock;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

/// Maker of the product's own tools. What tools say about themselves depends on the runners there
/// are, so they are made again when those change.
///
/// @param profiles of which each makes tools say something else
/// @param disabled the names of tools that nobody sees
/// @param form of what `run_code` answers
/// @param records where every run is recorded
/// @param attempts of callers at their tasks
/// @param digest of arguments
/// @param doors by which programs call tools
/// @param broker of all tools, for those that find and call others
/// @param learned of results of tools
/// @param threads the files of threads for the tools of a coding agent
record Toolbox(
        RunServices services,
        RunProfiles profiles,
        Set<String> disabled,
        RunCode.Form form,
        ExecutionRecords records,
        AttemptCounter attempts,
        FileService files,
        KeyedDigest digest,
        Workers workers,
        Doors doors,
        Supplier<Broker> broker,
        Learned learned,
        ThreadFiles threads) {
    /// The tools as they are for the callers of a group.
    List<Tool> tools(ToolGroup group) {
        return all(group).stream().filter(tool -> !disabled.contains(tool.spec().name())).toList();
    }

    /// A name that is misspelled would leave the tool to everybody.
    ///
    /// @throws Refusal for a tool that is disabled and not there
    void requireKnown() {
        var names =
                all(ToolGroup.of(Caller.LOCAL)).stream().map(tool -> tool.spec().name()).toList();
        for (var name : disabled) {
            if (!names.contains(name)) {
                throw new Refusal(
                        Reason.INVALID_ARGUMENT,
                        "tools.disabled names %s, which is no tool. %s"
                                .formatted(
                                        name,
                                        NearName.of(name, names)
                                                .map(near -> "Did you mean " + near + "?")
                                                .orElse(
                                                        "There are "
                                                                + String.join(", ", names)
                                                                + ".")));
            }
        }
    }

    private List<Tool> all(ToolGroup group) {
        var runs = runs();
        var offer = offer(group);
        return List.of(
                SandboxExecute.tool(runs, offer, doors, Version.TEXT),
                ExecutionWait.tool(own(), runs, Clock.systemUTC()),
                ExecutionCancel.tool(own()),
                ExecutionsList.tool(records, workers),
                SessionReset.tool(services.sessions),
                SessionsList.tool(services.sessions),
                RunCode.tool(runs, offer, doors, form, Version.TEXT),
                ListRunners.tool(offer),
                OutputRead.tool(services.spool, profiles, services.redaction, workers),
                FilesList.tool(files),
                FilesDownload.tool(files),
                FilesUpload.tool(files),
                FilesDelete.tool(files),
                ToolSearch.tool(broker),
                ToolDescribe.tool(broker, learned),
                ToolCall.tool(broker),
                Read.tool(threads),
                Write.tool(threads),
                Edit.tool(threads),
                Patch.tool(threads),
                FileGlob.tool(threads),
                FileGrep.tool(threads));
    }

    /// How to work here with the tools a caller sees, as it is now.
    String instructions(Caller caller, List<ToolSpec> seen) {
        return Instructions.of(offer(ToolGroup.of(caller)), seen);
    }

    private RunOffer offer(ToolGroup group) {
        return new RunOffer(
                services.runs,
                profiles.named(group.profile()),
                profiles.environments(group.profile(), group.environments()),
                services.spool.limits(),
                services.sessions.limits(),
                services.threads.capacity(),
                files.links().life());
    }

    private OwnRuns own() {
        var output = new RunOutput(services.spool, services.profile, services.redaction, workers);
        return new OwnRuns(records, services.liveRuns, services.background, output);
    }

    private RunService runs() {
        return new RunService(
                services.runs,
                services.sessions,
                services.threads,
                services.spool,
                new WorkspaceFiles(WalkBounds.RUN, workers),
                profiles,
                records,
                services.liveRuns,
                files,
                digest,
                workers,
                services.redaction,
                services.background,
                attempts,
                services.networks);
    }
}
