/*
 * How a program runs and ends in a fork of a zygote: as `python3 main.py` has it, but for the last step of the end.
 *
 * An interpreter that ends waits for threads, calls what is to be called, writes what is left to be written, and takes
 * apart every module and itself. When all of that is done it frees its own types and tables, which nothing can see any
 * more. In a fork every page of them is copied first, which takes longer than all the rest of a short program. So the
 * process ends there, the way it would have ended a moment later: by exit().
 *
 * The interpreter says when it has come so far (event `cpython._PySys_ClearAuditHooks`), but not with which status it
 * is about to end. That is known to whoever runs the program. So the program is run from here, in the moment in which
 * the interpreter would open its file (event `cpython.run_file`), by the same steps. A status that is not plain to see
 * is left to the interpreter, which then ends by itself, with its last step.
 *
 * Linked with nothing, like the zygote's part: it finds Python and the C library in its interpreter.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct _object PyObject;

enum { FILE_INPUT = 257, UNKNOWN = -1, STATUS_MAX = 255, INTERRUPTED = 128 + SIGINT };

extern PyObject *PyExc_SystemExit, *PyExc_KeyboardInterrupt;
extern PyObject _Py_NoneStruct, PyLong_Type;
int PySys_AddAuditHook(int (*)(const char *, PyObject *, void *), void *);
PyObject *PySys_GetObject(const char *);
PyObject *PyImport_AddModule(const char *), *PyModule_GetDict(PyObject *);
PyObject *PyDict_GetItemString(PyObject *, const char *);
int PyDict_SetItemString(PyObject *, const char *, PyObject *), PyDict_DelItemString(PyObject *, const char *);
PyObject *PyUnicode_DecodeFSDefault(const char *);
PyObject *PyObject_CallMethod(PyObject *, const char *, const char *, ...);
PyObject *PyObject_GetAttrString(PyObject *, const char *);
int PyObject_IsInstance(PyObject *, PyObject *);
PyObject *PyRun_FileExFlags(FILE *, const char *, int, PyObject *, PyObject *, int, void *);
PyObject *PyErr_Occurred(void);
void PyErr_Clear(void), PyErr_Print(void);
void PyErr_Fetch(PyObject **, PyObject **, PyObject **), PyErr_Restore(PyObject *, PyObject *, PyObject *);
void PyErr_NormalizeException(PyObject **, PyObject **, PyObject **);
int Py_MakePendingCalls(void);
long PyLong_AsLong(PyObject *);
void Py_DecRef(PyObject *);
void Py_Exit(int);

/* What atexit() is made of; that itself is no part of a C library that is found. */
int __cxa_atexit(void (*)(void *), void *, void *);

static const char *program;
static int status = UNKNOWN;
static int whole;

/* What an interpreter does that nobody took an interrupt from. */
static void die_of_interrupt(void *unused)
{
    (void)unused;
    signal(SIGINT, SIG_DFL);
    kill(getpid(), SIGINT);
}

static void flush(const char *name)
{
    PyObject *stream = PySys_GetObject(name);
    PyObject *done = stream ? PyObject_CallMethod(stream, "flush", NULL) : NULL;
    if (!done)
        PyErr_Clear();
    Py_DecRef(done);
}

/* As the interpreter does between a program and what is said of its end. */
static void flush_both(void)
{
    PyObject *kind, *value, *trace;
    PyErr_Fetch(&kind, &value, &trace);
    flush("stderr");
    flush("stdout");
    PyErr_Restore(kind, value, trace);
}

/* The status of a SystemExit that has one, which is then over; of others it is unknown. */
static int status_of_exit(void)
{
    PyObject *kind, *value, *trace;
    if (PyErr_Occurred() != PyExc_SystemExit)
        return UNKNOWN;
    PyErr_Fetch(&kind, &value, &trace);
    PyErr_NormalizeException(&kind, &value, &trace);
    PyObject *code = kind == PyExc_SystemExit && value ? PyObject_GetAttrString(value, "code") : NULL;
    long number = UNKNOWN;
    if (code == &_Py_NoneStruct)
        number = 0;
    else if (code && PyObject_IsInstance(code, &PyLong_Type) == 1)
        number = PyLong_AsLong(code);
    PyErr_Clear();
    Py_DecRef(code);
    PyErr_Restore(kind, value, trace);
    if (number < 0 || number > STATUS_MAX)
        return UNKNOWN;
    fflush(stdout);
    PyErr_Clear();
    return (int)number;
}

static int set(PyObject *names, const char *name, PyObject *value)
{
    int failed = !value || PyDict_SetItemString(names, name, value) < 0;
    Py_DecRef(value);
    return failed ? -1 : 0;
}

/* What a program that is a file finds in its module. */
static int name_file(PyObject *names)
{
    PyObject *machinery = PyImport_AddModule("_frozen_importlib_external");
    PyObject *loader =
        machinery ? PyObject_CallMethod(machinery, "SourceFileLoader", "ss", "__main__", program) : NULL;
    return set(names, "__loader__", loader) < 0 || set(names, "__file__", PyUnicode_DecodeFSDefault(program)) < 0 ||
                   PyDict_SetItemString(names, "__cached__", &_Py_NoneStruct) < 0
               ? -1
               : 0;
}

static void forget_file(PyObject *names)
{
    if (PyDict_DelItemString(names, "__file__") < 0)
        PyErr_Clear();
    if (PyDict_DelItemString(names, "__cached__") < 0)
        PyErr_Clear();
}

static void run(FILE *file, PyObject *names)
{
    PyObject *done = PyRun_FileExFlags(file, program, FILE_INPUT, names, names, 1, NULL);
    flush_both();
    int code = done ? 0 : status_of_exit();
    if (PyErr_Occurred()) {
        int interrupted = PyErr_Occurred() == PyExc_KeyboardInterrupt;
        /* Ends by itself where it is an exit after all. */
        PyErr_Print();
        code = interrupted ? INTERRUPTED : 1;
        if (interrupted)
            __cxa_atexit(die_of_interrupt, NULL, NULL);
        forget_file(names);
    } else if (done) {
        Py_DecRef(done);
        forget_file(names);
    }
    status = code;
    Py_Exit(code);
}

/* 0 leaves it to the interpreter, -1 with what went wrong before there was a program. */
static int begin(void)
{
    PyObject *module = PyImport_AddModule("__main__");
    PyObject *names = module ? PyModule_GetDict(module) : NULL;
    if (!names || PyDict_GetItemString(names, "__file__")) {
        PyErr_Clear();
        return 0;
    }
    FILE *file = fopen(program, "rbe");
    if (!file)
        return 0;
    if (Py_MakePendingCalls() < 0 || name_file(names) < 0) {
        fclose(file);
        return -1;
    }
    run(file, names);
    return 0;
}

static int heed(const char *event, PyObject *arguments, void *unused)
{
    (void)arguments, (void)unused;
    if (*event != 'c')
        return 0;
    if (status != UNKNOWN && !whole && !strcmp(event, "cpython._PySys_ClearAuditHooks"))
        exit(status);
    if (program && !strcmp(event, "cpython.run_file")) {
        int failed = begin();
        program = NULL;
        return failed;
    }
    return 0;
}

/* Once, in the zygote. */
int ending_prepare(void)
{
    return PySys_AddAuditHook(heed, NULL);
}

/* In a fork: the interpreter is about to run this file, and may end early. */
void ending_expect(const char *path)
{
    program = strdup(path);
}

/* What is left to be written cannot be, which the interpreter has a status for. */
void ending_is_whole(void)
{
    whole = 1;
}
